// Converts the server's tools as the client library for JavaScript makes schemas strict, and looks at what is left.
//
// The library closes every object that it converts, so one without members of its own would take nothing any more.
//
//     npm install --prefix DIR openai
//     cargo build -p sonarr-mcp
//     node mcp-server/checks/strict_schemas.mjs DIR target/debug/sonarr-mcp --demo

import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder, command, ...flags] = process.argv.slice(2);
const library = resolve(folder, "node_modules/openai/lib/transform.mjs");
const { toStrictJsonSchema } = await import(pathToFileURL(library));

async function listTools() {
  const server = spawn(command, flags, { stdio: ["pipe", "pipe", "inherit"] });
  const send = (message) => server.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\n");
  const clientInfo = { name: "strict-schemas", version: "1" };
  send({ id: 0, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      const { id, result } = JSON.parse(line);
      if (id === 0) {
        send({ method: "notifications/initialized" });
        send({ id: 1, method: "tools/list" });
      } else if (id === 1) {
        return result.tools;
      }
    }
  } finally {
    server.stdin.end();
  }
  throw new Error("the server ended without listing its tools");
}

const members = (schema) => Object.keys(schema.properties.arguments.properties ?? {});

// The library refuses members that may be left out, and says so; callers then send the tool as it is, or make every
// member required and nullable, which is what its refusal asks for.
function nullable(schema) {
  const copy = structuredClone(schema);
  if (copy.properties) {
    const required = copy.required ?? [];
    for (const [name, member] of Object.entries(copy.properties)) {
      const whole = nullable(member);
      copy.properties[name] = required.includes(name) ? whole : { anyOf: [whole, { type: "null" }] };
    }
    copy.required = Object.keys(copy.properties);
  }
  return copy;
}

function convert(schema) {
  try {
    return { strict: toStrictJsonSchema(schema) };
  } catch (error) {
    return { refusal: error.message };
  }
}

// Behind `anyOf` the object is the first alternative.
const strictMembers = ({ properties: { arguments: found } }) =>
  Object.entries((found.anyOf?.[0] ?? found).properties ?? {});

const tools = await listTools();
let kept = 0;
for (const { name, inputSchema } of tools) {
  const due = members(inputSchema);
  const { strict, refusal } = convert(inputSchema);
  const { strict: filled, refusal: still } = convert(nullable(inputSchema));
  const left = strict ? members(strict) : due;
  const found = filled ? strictMembers(filled).map(([member]) => member) : due;
  const usable = due.length > 0 && [left, found].every((names) => due.every((member) => names.includes(member)));
  kept += usable;
  const as = (refusal) => (refusal ? `sent as it is (${refusal.slice(0, 90)})` : "strict");
  console.log(`${name}: arguments ${left.length} of ${due.length}, ${as(refusal)}`);
  console.log(`    made nullable: arguments ${found.length} of ${due.length}, ${as(still)}`);
}
console.log(`${kept} of ${tools.length} tools keep their arguments`);
process.exit(tools.length > 0 && kept === tools.length ? 0 : 1);
