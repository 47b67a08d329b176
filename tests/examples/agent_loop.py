"""An agent that works through a plan; whatever happens to its process, the next one goes on."""

from vaultmem import Memory

with Memory.open("memory", agent="ada", session="move") as memory:
    memory.on_user_message("Please move the shop's database to the new server.", speaker="Mara")
    memory.on_task_start("Move the database", steps=["Take a backup", "Copy it", "Switch over"])
    memory.on_tool_result("pg_dump", "48213 rows written to shop.dump")
    memory.on_step_complete(1, result="48213 rows saved")
    memory.set_state("waiting for the night")

with Memory.open("memory", agent="ada", session="move") as memory:  # after a crash, say
    print(memory.working.goal, [step.status for step in memory.working.steps])
    print(memory.build_context("How far are we?", budget=2000).text)
    memory.on_step_complete("Copy it", result="48213 rows there")
    memory.on_step_complete("Switch over")
    made = memory.on_task_complete("success", lessons=["Copy at night: it takes an hour"])
    memory.on_user_feedback("That went well.")
    memory.maintenance()
    print(made.path, made.importance)
