"""What agents speak to.

MCP server, Anthropic memory tool, Claude Code hooks and plugin, the chat agent.
"""
