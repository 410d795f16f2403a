import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pythonSource, usePython } from '@switchyard/server/test/sdk-python/use-python.ts'
import { gadgetRoutes } from '@switchyard/server/test/sdk/gadget-routes.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { withServer } from '../describe-server.ts'
import { apiModel } from './api-model.ts'
import { printCommands } from './print-cli.ts'
import { printPython } from './print-python.ts'
import { printTypeScript } from './print-typescript.ts'

const root = join(import.meta.dirname, '../../../..')
const directory = mkdtempSync(join(tmpdir(), 'switchyard-gadgets-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const program = `import { Switchyard } from './index.ts'
const sy = new Switchyard({ baseUrl: process.argv[2] ?? '', apiKey: 'sy_test_none' })
const painted = await sy.gadgets.paint('g-1', { price: '12.50', colour: 'red' }, { fast: true })
const prices: string[] = []
for await (const { price } of sy.gadgets.list()) prices.push(price)
console.log(JSON.stringify([painted, prices]))
`

const pythonProgram = `import json
import sys
from decimal import Decimal

from switchyard import Switchyard
from switchyard.types import Gadget

with Switchyard(sys.argv[1], api_key="sy_test_none") as sy:
    painted: Gadget = sy.gadgets.paint("g-1", {"price": Decimal("12.50"), "colour": "red"}, fast=True)
    prices: list[Decimal] = [row["price"] for row in sy.gadgets.list()]
print(json.dumps([painted, prices], default=str))
`

const run = async (file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> =>
  (await promisify(execFile)(file, args, { cwd: directory, env: { ...process.env, ...env } })).stdout

const isNeeded = (path: string): boolean => !/\.test\.ts$|testing/.test(path)

function writeSdk(document: object): void {
  cpSync(join(root, 'sdk/src'), directory, { recursive: true, filter: isNeeded })
  for (const [name, content] of Object.entries(printTypeScript(apiModel(document))))
    writeFileSync(join(directory, 'generated', name), content)
  writeFileSync(join(directory, 'use.ts'), program)
  const exports = { '.': './index.ts', './verify-webhook': './verify-webhook.ts' }
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ type: 'module', exports }))
  const compilerOptions = {
    incremental: false,
    tsBuildInfoFile: null,
    typeRoots: [join(root, 'node_modules/@types')],
  }
  const project = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['.'] }
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(project))
}

function writePythonSdk(document: object): void {
  const generated = join(directory, 'python/switchyard/_generated')
  cpSync(pythonSource, join(directory, 'python'), { recursive: true })
  for (const [name, content] of Object.entries(printPython(apiModel(document))))
    writeFileSync(join(generated, name), content)
  writeFileSync(join(directory, 'python/use.py'), pythonProgram)
}

const expected = [{ gadget_id: 'g-1', price: '12.50', colour: 'red', is_fast: true }, ['0.10']]

/** The command line beside it, which imports this SDK and the packages of the repository. */
function writeCli(document: object): void {
  const cli = join(directory, 'cli')
  cpSync(join(root, 'cli'), cli, {
    recursive: true,
    filter: (path) => isNeeded(path) && !path.includes('node_modules'),
  })
  writeFileSync(join(cli, 'src/generated/commands.ts'), printCommands(apiModel(document)))
  mkdirSync(join(directory, 'node_modules/@switchyard'), { recursive: true })
  symlinkSync(directory, join(directory, 'node_modules/@switchyard/sdk'))
  for (const name of ['commander', '@clack'])
    symlinkSync(join(root, 'node_modules', name), join(directory, 'node_modules', name))
}

describe('an endpoint that is added to the server', () => {
  it('is a typed method of the SDK and a command without an edit by hand, and works', async () => {
    const printed = await withServer(gadgetRoutes, async (app, { document }) => {
      writeSdk(document)
      writeCli(document)
      const url = await app.listen({ host: '127.0.0.1', port: 0 })
      expect(await run(join(root, 'node_modules/.bin/tsc'), ['-p', directory])).toBe('')
      const env = { SWITCHYARD_API_KEY: 'sy_test_none', SWITCHYARD_BASE_URL: url }
      const cli = (...args: string[]) => run(process.execPath, ['cli/src/main.ts', 'gadgets', ...args], env)
      const fields = ['-d', 'price=12.50', '-d', 'colour=red']
      return {
        sdk: await run(process.execPath, ['use.ts', url]),
        paint: await cli('paint', 'g-1', '--fast', ...fields),
        list: await cli('list'),
        help: await cli('paint', '--help'),
      }
    })
    expect(JSON.parse(printed.sdk)).toEqual(expected)
    expect(JSON.parse(printed.paint)).toEqual(expected[0])
    expect(JSON.parse(printed.list)).toMatchObject({ gadget_id: 'g-2', price: '0.10' })
    expect(printed.help).toContain('Paint a gadget.')
  }, 120_000)

  it('is a typed method of the Python SDK, too', async () => {
    const python = usePython()
    const printed = await withServer(gadgetRoutes, async (app, { document }) => {
      writePythonSdk(document)
      const url = await app.listen({ host: '127.0.0.1', port: 0 })
      const files = ['python/use.py']
      const options = ['-m', 'mypy', '--strict', '--cache-dir', join(root, '.cache/mypy')]
      expect(await run(python, [...options, ...files])).toContain('Success')
      return run(python, ['python/use.py', url])
    })
    expect(JSON.parse(printed)).toEqual(expected)
  }, 240_000)
})
