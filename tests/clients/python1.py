"""The official Python SDK, the line before 2: handshake, tools, a posting, a refusal."""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main():
    server = StdioServerParameters(command=sys.argv[1], args=sys.argv[2:])
    async with stdio_client(server) as (read, write), ClientSession(read, write) as client:
        hello = await client.initialize()
        tools = (await client.list_tools()).tools
        assert all(tool.outputSchema["type"] == "object" for tool in tools)
        draft = await client.call_tool("books.draft_entry", {"date": "2025-12-30", "description": "Stamps"})
        entry = draft.structuredContent["entry_id"]
        for account, side in (("6800", "debit"), ("1000", "credit")):
            line = {"entry_id": entry, "account": account, "side": side, "amount": "7.30"}
            assert (await client.call_tool("books.add_line", line)).structuredContent["ok"] is True
        preview = (await client.call_tool("books.post_entry", {"entry_id": entry})).structuredContent
        posted = await client.call_tool("books.post_entry", {"entry_id": entry, "confirmed": True})
        assert posted.structuredContent["lines"] == preview["lines"], posted
        refused = await client.call_tool("books.add_line", {"entry_id": entry, "colour": "red"})
        assert refused.isError and json.loads(refused.content[0].text)["code"] == "invalid_arguments", refused
        templates = (await client.list_resource_templates()).resourceTemplates
        assert any(template.uriTemplate == "books://digest{?since}" for template in templates), templates
        digest = json.loads((await client.read_resource("books://digest?since=2025-01-01")).contents[0].text)
        assert digest["entries_posted"][0]["entry_id"] == entry, digest
        print(f"python sdk 1: {hello.protocolVersion}, {len(tools)} tools, entry {entry} posted")


asyncio.run(main())
