import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fuzz } from './run.ts'
import { startFuzzInstallation, type FuzzInstallation } from './installation.ts'

const requests = 8_000
/** Not every route succeeds in a short run. That most do shows that requests pass validation. */
const unreachedLimit = 110
const limitMs = 240_000

let installation: FuzzInstallation
beforeAll(async () => {
  installation = await startFuzzInstallation()
}, limitMs)
afterAll(() => installation.stop(), limitMs)

describe('requests of every kind, to every route, by every actor', () => {
  it(
    'get no answer that the OpenAPI document does not allow, and the audit passes afterwards',
    async () => {
      const report = await fuzz(installation, { requests, seed: 1, print: () => undefined })
      expect(report.findings).toEqual([])
      expect(report.unreached().slice(unreachedLimit)).toEqual([])
      await expect(installation.audit()).resolves.toContain('Every invariant holds.')
    },
    limitMs,
  )
})
