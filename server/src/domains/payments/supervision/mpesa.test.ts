import { beforeAll, describe, expect, it, vi } from 'vitest'
import { defaultWaitMs } from '@switchyard/stack/services/wait-until.ts'
import { createConfig } from '../../providers/configs/create-config.ts'
import { fromNewConfig } from '../../providers/configs/schema.ts'
import {
  createTestClock,
  kenyanPayin,
  mobileMoneyBeneficiary,
  mobileMoneyPayout,
  openPayments,
  operatorOf,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock })
let org: OrgPayments
beforeAll(async () => {
  org = await openPayments(t)
  for (const direction of ['inbound', 'outbound'] as const) {
    const terms = { provider: 'mpesa', country: 'KE', payment_method: 'mobile_money', priority: 1 } as const
    await createConfig(t.deps, operatorOf(t), {
      orgId: null,
      config: fromNewConfig({ ...terms, direction }),
    })
  }
})

const minuteMs = 60_000
const phone = { provider: 'MPESA', phone_number: '254708663500' }
const payin = kenyanPayin({ mobile_money_details: phone })

async function payout(): Promise<string> {
  const inKenya = { country: 'KE', currency: 'KES', momo_details: phone }
  const beneficiary = await org.addBeneficiary(mobileMoneyBeneficiary(inKenya))
  return org.start(mobileMoneyPayout(beneficiary, { ...payin, payer_details: null, direction: 'payout' }))
}

const statusBecomes = (id: string, status: string) =>
  vi.waitFor(async () => expect((await org.record(id)).status).toBe(status), defaultWaitMs)

/** As the engine does, long after the answer was due. */
async function poll(id: string): Promise<void> {
  clock.pass(minuteMs)
  await org.advance(id)
}

const sequence = (): number => t.simulator.log({ provider: 'mpesa' }).at(-1)?.sequence ?? 0
const takenSince = (afterSequence: number) => t.simulator.log({ provider: 'mpesa', afterSequence })

describe('a prompt on a phone', () => {
  it('is completed by the inquiry that its callback triggers', async () => {
    const id = await org.start(payin)
    expect(await org.record(id)).toMatchObject({ status: 'pending', provider: 'mpesa' })
    await t.simulator.settle()
    await statusBecomes(id, 'completed')
  })

  it('whose callback is lost is completed by the next poll', async () => {
    t.simulator.setFaults('mpesa', [{ on: 'webhook', fault: 'webhook_drop' }])
    const id = await org.start(payin)
    await t.simulator.settle()
    await poll(id)
    expect((await org.record(id)).status).toBe('completed')
  })

  it('whose answer is lost is never sent again, and its callback brings the id to inquire with', async () => {
    const before = sequence()
    t.simulator.setFaults('mpesa', [{ on: 'collect', fault: 'error_500_accepted' }])
    const id = await org.start(payin)
    await poll(id)
    await poll(id)
    expect((await org.record(id)).status).toBe('processing')
    t.simulator.setFaults('mpesa', [{ on: 'inquire', fault: 'error_500' }])
    await t.simulator.settle()
    // The question that the callback caused has failed; what the callback named is asked about later.
    expect((await org.record(id)).status).toBe('processing')
    await poll(id)
    expect((await org.record(id)).status).toBe('completed')
    expect(takenSince(before)).toHaveLength(1)
    expect(await org.attempts(id)).toHaveLength(1)
  })

  it('whose answer and callback are lost remains unknown, and goes to manual review after a day', async () => {
    const before = sequence()
    t.simulator.setFaults('mpesa', [
      { on: 'collect', fault: 'error_500_accepted' },
      { on: 'webhook', fault: 'webhook_drop' },
    ])
    const id = await org.start(payin)
    await t.simulator.settle()
    await poll(id)
    expect((await org.record(id)).status).toBe('processing')
    clock.pass(24 * 60 * minuteMs)
    await org.advance(id)
    expect((await org.record(id)).status).toBe('processing')
    const raised = (await org.exceptions()).filter((one) => one['payment_id'] === id)
    expect(raised).toMatchObject([{ kind: 'outcome_unknown' }])
    expect(takenSince(before)).toHaveLength(1)
  })
})

describe('a payout to a phone', () => {
  it('is completed by the answer to a question that its result causes', async () => {
    const id = await payout()
    expect((await org.record(id)).status).toBe('processing')
    await t.simulator.settle()
    await statusBecomes(id, 'completed')
  })

  it('whose result is lost is completed by the answer to the next question', async () => {
    t.simulator.setFaults('mpesa', [{ on: 'webhook', fault: 'webhook_drop' }])
    const id = await payout()
    await t.simulator.settle()
    expect((await org.record(id)).status).toBe('processing')
    await poll(id)
    await statusBecomes(id, 'completed')
  })

  it('whose answer is lost is sent once', async () => {
    const before = sequence()
    t.simulator.setFaults('mpesa', [{ on: 'payout', fault: 'error_500_accepted' }])
    const id = await payout()
    await poll(id)
    await t.simulator.settle()
    await statusBecomes(id, 'completed')
    expect(takenSince(before)).toHaveLength(1)
  })
})
