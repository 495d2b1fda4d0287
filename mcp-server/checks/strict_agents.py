"""Converts the server's tools as the agent library for Python does, strictly and not, and looks at what is left.

The library closes every object that it converts, so one without members of its own would take nothing any more.

    python3 -m venv venv && venv/bin/pip install openai-agents
    cargo build -p sonarr-mcp
    venv/bin/python mcp-server/checks/strict_agents.py target/debug/sonarr-mcp --demo
"""

import asyncio
import sys

from agents.mcp import MCPServerStdio, MCPUtil


def members(schema):
    """The names of the arguments that a schema leaves to the model."""
    return set(schema["properties"]["arguments"].get("properties", {}))


async def main():
    command, *flags = sys.argv[1:]
    failures = 0
    async with MCPServerStdio(params={"command": command, "args": flags}, client_session_timeout_seconds=60) as server:
        tools = await server.list_tools()
        for tool in tools:
            due = members(tool.model_dump(by_alias=True)["inputSchema"])
            given = MCPUtil.to_function_tool(tool, server, convert_schemas_to_strict=True)
            left = members(given.params_json_schema)
            usable = bool(due) and left == due
            failures += not usable
            strict = "strict" if given.strict_json_schema else "not strict"
            body = given.params_json_schema["properties"]["arguments"]["properties"].get("body")
            print(f"{tool.name:32} {strict:10} arguments {len(left):3} of {len(due):3}  body {body}")
    print(f"{len(tools) - failures} of {len(tools)} tools keep their arguments")
    return 1 if failures or len(tools) == 0 else 0


sys.exit(asyncio.run(main()))
