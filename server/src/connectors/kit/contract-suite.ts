import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { declaredCases } from './contract/declared-cases.ts'
import { faultCases } from './contract/fault-cases.ts'
import type { ContractHarness } from './contract/harness.ts'
import { otherCases } from './contract/other-cases.ts'
import { refundCases } from './contract/refund-cases.ts'
import { secretCases } from './contract/secret-cases.ts'
import { sendCases } from './contract/send-cases.ts'
import { shapeCases } from './contract/shape-cases.ts'
import { webhookCases } from './contract/webhook-cases.ts'
import { openWorld, type World } from './contract/world.ts'

/** What every connector promises, held against its provider's protocol in the simulator. */
export function describeConnector(harness: ContractHarness): void {
  describe(`the ${harness.definition.name} connector`, () => {
    let opened: World | undefined
    const world = (): World => {
      if (!opened) throw new Error('the simulator is not up')
      return opened
    }
    beforeAll(async () => {
      opened = await openWorld(harness)
    })
    afterEach(() => opened?.clearFaults())
    afterAll(() => opened?.stop())

    shapeCases(harness)
    sendCases(harness, world)
    faultCases(harness, world)
    refundCases(harness, world)
    webhookCases(harness, world)
    declaredCases(harness, world)
    otherCases(harness, world)
    secretCases(harness, world)
  })
}
