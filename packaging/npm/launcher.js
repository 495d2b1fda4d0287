#!/usr/bin/env node
// Runs the program that the package of this platform carries, with this process's arguments, streams and exit status.
"use strict";

const { spawn } = require("node:child_process");
const { name, optionalDependencies } = require("./package.json");

const FAILED = 1;

function give_up(message) {
  // Standard output belongs to the protocol.
  console.error(`sonarr-mcp: ${message}`);
  process.exit(FAILED);
}

function find() {
  const carrier = `${name}-${process.platform}-${process.arch}`;
  if (!(carrier in optionalDependencies)) {
    const known = Object.keys(optionalDependencies).map((other) => other.slice(name.length + 1));
    give_up(
      `there is no program for ${process.platform}-${process.arch}, only for ${known.join(", ")}; ` +
        "with a Rust toolchain it can be built from source",
    );
  }
  const program = process.platform === "win32" ? "sonarr-mcp.exe" : "sonarr-mcp";
  try {
    return require.resolve(`${carrier}/bin/${program}`);
  } catch {
    return give_up(
      `the package ${carrier} is missing: install ${name} again without --omit=optional or --no-optional, ` +
        "and on the system it is to run on",
    );
  }
}

const file = find();
const child = spawn(file, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => give_up(`${file} cannot be run: ${error.message}`));

// Whoever ends this process means the program; it drains what is in flight and then ends by itself.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}

child.on("exit", (code, signal) => {
  if (signal === null) {
    process.exit(code);
  }
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
