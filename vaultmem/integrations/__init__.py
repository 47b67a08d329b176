"""What agents speak to.

MCP server, Anthropic memory tool, Claude Code hooks and plugin, the chat agent, and frameworks that
agents are built with, each of which is an extra.
"""
