import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRobberyInstallation, type RobberyInstallation } from './installation.ts'
import { attacks } from './attacks/thieves.ts'
import { rob } from './run.ts'

const steps = 100
const limitMs = 480_000
const startMs = 120_000

let installation: RobberyInstallation
beforeAll(async () => {
  installation = await startRobberyInstallation()
}, startMs)
afterAll(() => installation.stop(), startMs)

describe('an organisation with every permission of an administrator and keys of its own making', () => {
  it(
    'takes nothing that it did not pay in, and changes nothing of anybody else',
    async () => {
      const report = await rob(installation, {
        steps,
        seed: 1,
        timeLimitMs: limitMs / 2,
        print: () => undefined,
      })
      expect(report.attacks).toHaveLength(attacks.length)
      expect(report.steps.length).toBeGreaterThan(steps)
      expect(report.violations).toEqual([])
      expect(installation.unexpectedExits).toEqual([])
    },
    limitMs,
  )
})
