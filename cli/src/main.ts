#!/usr/bin/env node
import { systemIo } from './io.ts'
import { runCli } from './run-cli.ts'

process.exitCode = await runCli(process.argv.slice(2), systemIo())
