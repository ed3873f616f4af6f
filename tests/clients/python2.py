"""The official Python SDK, current line, against the built server: both eras, every stage of a posting."""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters


def value(result):
    """The structured result; its text must be the same JSON."""
    assert not result.is_error, result.content
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


async def session(command, mode):
    server = StdioServerParameters(command=command[0], args=command[1:])
    async with Client(server, mode=mode) as client:
        tools = (await client.list_tools()).tools
        names = [tool.name for tool in tools]
        assert "books.post_entry" in names and len(names) == len(set(names)), names
        draft = value(
            await client.call_tool(
                "books.draft_entry",
                {
                    "date": "2025-12-30",
                    "description": f"Postage ({mode})",
                    "lines": [
                        {"account": "6800", "side": "debit", "amount": "12.50"},
                        {"account": "1000", "side": "credit", "amount": "12.50"},
                    ],
                },
            )
        )
        entry = draft["entry_id"]
        early = await client.call_tool("books.post_entry", {"entry_id": entry, "confirmed": True})
        assert early.is_error and json.loads(early.content[0].text)["code"] == "preview_required", early
        preview = value(await client.call_tool("books.post_entry", {"entry_id": entry}))
        assert preview["status"] == "preview" and preview["total"] == "12.50", preview
        agreed = {"entry_id": entry, "confirmed": True, "if_preview": preview["preview"], "request_key": f"py2-{mode}"}
        posted = value(await client.call_tool("books.post_entry", agreed))
        assert posted["status"] == "posted" and posted["lines"] == preview["lines"], posted
        again = value(await client.call_tool("books.post_entry", agreed))
        assert again.pop("replayed") is True and again == posted, again
        refused = await client.call_tool("books.post_entry", {"entry_id": entry})
        assert refused.is_error and json.loads(refused.content[0].text)["code"] == "entry_not_draft", refused
        balance = value(await client.call_tool("books.trial_balance", {"as_of": "2025-12-31"}))
        assert balance["balanced"] and balance["total_debit"] == balance["total_credit"], balance
        chart = asyncio.gather(*(client.call_tool("books.chart", {}) for _ in range(20)))
        assert len({json.dumps(value(c)) for c in await chart}) == 1
        listed = (await client.list_resources()).resources
        addresses = [str(resource.uri) for resource in listed]
        assert "books://chart" in addresses and "books://digest" in addresses, addresses
        chart = json.loads((await client.read_resource("books://chart")).contents[0].text)
        assert chart == value(await client.call_tool("books.chart", {})), chart
        print(f"python sdk, mode {mode}: {client.protocol_version}, {len(names)} tools, entry {entry} posted")


async def main():
    for mode in ("auto", "legacy"):
        await session(sys.argv[1:], mode)


asyncio.run(main())
