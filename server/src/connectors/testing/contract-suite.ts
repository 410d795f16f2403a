import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import { declaredCases } from './declared-cases.ts'
import { disputeCases } from './dispute-cases.ts'
import { faultCases } from './fault-cases.ts'
import type { ContractHarness } from './harness.ts'
import { openingCases } from './opening-cases.ts'
import { otherCases } from './other-cases.ts'
import { refundCases } from './refund-cases.ts'
import { secretCases } from './secret-cases.ts'
import { sendCases } from './send-cases.ts'
import { shapeCases } from './shape-cases.ts'
import { webhookCases } from './webhook-cases.ts'
import { openFixture, type Fixture } from './fixture.ts'

/** What every connector promises, held against its provider's protocol in the simulator. */
export function describeConnector(harness: ContractHarness): void {
  describe(`the ${harness.definition.name} connector`, () => {
    let opened: Fixture | undefined
    const fixture = (): Fixture => {
      if (!opened) throw new Error('the simulator is not up')
      return opened
    }
    beforeAll(async () => {
      opened = await openFixture(harness)
    })
    afterEach(() => opened?.clearFaults())
    afterAll(() => opened?.stop())

    shapeCases(harness)
    sendCases(harness, fixture)
    faultCases(harness, fixture)
    refundCases(harness, fixture)
    disputeCases(harness, fixture)
    webhookCases(harness, fixture)
    declaredCases(harness, fixture)
    otherCases(harness, fixture)
    openingCases(harness, fixture)
    secretCases(harness, fixture)
  })
}
