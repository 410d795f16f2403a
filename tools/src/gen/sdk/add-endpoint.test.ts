import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pythonSource, usePython } from '@switchyard/server/testing/sdk-python/use-python.ts'
import { gadgetRoutes } from '@switchyard/server/testing/sdk/gadget-routes.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { withServer } from '../describe-server.ts'
import { apiModel } from './api-model.ts'
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

const run = async (file: string, args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(file, args, { cwd: directory })).stdout

function writeSdk(document: object): void {
  const isNeeded = (path: string): boolean => !/\.test\.ts$|testing/.test(path)
  cpSync(join(root, 'sdk/src'), directory, { recursive: true, filter: isNeeded })
  for (const [name, content] of Object.entries(printTypeScript(apiModel(document))))
    writeFileSync(join(directory, 'generated', name), content)
  writeFileSync(join(directory, 'use.ts'), program)
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }')
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

describe('an endpoint that is added to the server', () => {
  it('is a typed method of the SDK without an edit by hand, and works', async () => {
    const printed = await withServer(gadgetRoutes, async (app, { document }) => {
      writeSdk(document)
      const url = await app.listen({ host: '127.0.0.1', port: 0 })
      expect(await run(join(root, 'node_modules/.bin/tsc'), ['-p', directory])).toBe('')
      return run(process.execPath, ['use.ts', url])
    })
    expect(JSON.parse(printed)).toEqual(expected)
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
