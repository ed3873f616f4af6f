// The official TypeScript SDKs, 1.x and 2.x: they check every structured result against its output schema.
const [, , command, ...args] = process.argv;

async function talk(name, client, transport) {
  await client.connect(transport);
  const { tools } = await client.listTools();
  const draft = await client.callTool({
    name: "books.draft_entry",
    arguments: {
      date: "2025-12-30",
      description: `Paper (${name})`,
      lines: [
        { account: "6810", side: "debit", amount: "8.40" },
        { account: "1000", side: "credit", amount: "8.40" },
      ],
    },
  });
  const entry_id = draft.structuredContent.entry_id;
  const preview = await client.callTool({ name: "books.post_entry", arguments: { entry_id } });
  if (preview.structuredContent.status !== "preview") throw new Error(JSON.stringify(preview));
  const posted = await client.callTool({
    name: "books.post_entry",
    arguments: { entry_id, confirmed: true, if_preview: preview.structuredContent.preview },
  });
  if (posted.structuredContent.status !== "posted") throw new Error(JSON.stringify(posted));
  const refused = await client.callTool({ name: "books.get_entry", arguments: { entry_id: 999999 } });
  if (!refused.isError || JSON.parse(refused.content[0].text).code !== "unknown_entry") throw new Error(JSON.stringify(refused));
  for (const tool of ["books.chart", "books.trial_balance", "books.balance_sheet", "books.profit_and_loss", "books.verify"]) {
    const read = await client.callTool({ name: tool, arguments: {} });
    if (read.isError) throw new Error(JSON.stringify(read));
  }
  const { resources } = await client.listResources();
  for (const { uri, mimeType } of resources) {
    const { contents } = await client.readResource({ uri });
    if (contents[0].mimeType !== mimeType) throw new Error(JSON.stringify(contents));
    JSON.parse(contents[0].text);
  }
  await client.close();
  console.log(`${name}: ${tools.length} tools, entry ${entry_id} posted`);
}

const one = await import("@modelcontextprotocol/sdk/client/index.js");
const oneStdio = await import("@modelcontextprotocol/sdk/client/stdio.js");
await talk("typescript sdk 1", new one.Client({ name: "check", version: "1" }), new oneStdio.StdioClientTransport({ command, args }));

const two = await import("@modelcontextprotocol/client");
const twoStdio = await import("@modelcontextprotocol/client/stdio");
const Stdio = two.StdioClientTransport ?? twoStdio.StdioClientTransport;
await talk("typescript sdk 2", new two.Client({ name: "check", version: "1" }), new Stdio({ command, args }));
