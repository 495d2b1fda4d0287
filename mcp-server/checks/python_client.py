"""The official Python client on each transport: `python_client.sh` starts it with the program's path and two addresses.

Each connection lists, calls, reads, completes, and is asked by a form before something is deleted: once with a no,
once with a yes.
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters
from mcp.client.sse import sse_client
from mcp_types import ElicitResult, PromptReference, TextContent

TOOLS = 15


def due(holds, what):
    """Ends the run where something does not hold; `assert` could be switched off."""
    if not holds:
        raise SystemExit(f"not as it should be: {what}")


class Person:
    """Who is asked: says what is set, and counts the questions."""

    def __init__(self):
        self.agrees, self.asked = False, 0

    async def __call__(self, _context, params):
        self.asked += 1
        due("Do it?" in params.message, params.message)
        return ElicitResult(action="accept", content={"confirm": True}) if self.agrees else ElicitResult(action="decline")


async def call(client, operation, arguments=None):
    """The answer of a call of a tag's operation, and whether it is a failure; text and structure say the same."""
    result = await client.call_tool("sonarr_tags", {"operation": operation, "arguments": arguments or {}})
    due(isinstance(result.content[0], TextContent), result)
    return result.structured_content, bool(result.is_error)


async def check(name, server, mode):
    person = Person()
    async with Client(server, mode=mode, elicitation_callback=person, read_timeout_seconds=30) as client:
        due(len((await client.list_tools()).tools) == TOOLS, "the tools")
        uris = [str(resource.uri) for resource in (await client.list_resources()).resources]
        due("sonarr://reference/operations" in uris, uris)
        health = await client.read_resource("sonarr://live/health")
        due(health.contents[0].text, health)
        prompts = [prompt.name for prompt in (await client.list_prompts()).prompts]
        due("clean_queue" in prompts, prompts)
        due((await client.get_prompt("clean_queue")).messages, "the prompt's messages")
        completed = await client.complete(
            PromptReference(type="ref/prompt", name="missing_episode"), {"name": "series", "value": ""}
        )
        due(completed.completion.values, completed)

        created, failed = await call(client, "create_tag", {"body": {"label": f"attic-{name}-{mode}"}})
        due(not failed, created)
        tag = created["id"]
        for agrees in (False, True):
            person.agrees = agrees
            answer, failed = await call(client, "delete_tag", {"id": tag})
            due(failed is not agrees, answer)
            left, _ = await call(client, "list_tags")
            due((f'"id": {tag},' in json.dumps(left)) is not agrees, left)
        due(person.asked == 2, person.asked)
        print(f"{name:5} {mode:6} revision {client.protocol_version}: listed, read, completed, called, asked twice")


async def main():
    program, http, sse = sys.argv[1:]
    stdio = StdioServerParameters(command=program, args=["--demo"])
    for mode in ("legacy", "auto"):
        await check("stdio", stdio, mode)
        await check("http", http, mode)
    await check("sse", sse_client(sse), "legacy")


asyncio.run(main())
