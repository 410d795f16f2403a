import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expectCleanAudit } from '../../../../test/worlds/test-accounts.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  answerAgain,
  evidence,
  leaveInDoubt,
  openDoubts,
  type Doubts,
} from '../../../../test/worlds/test-doubts.ts'
import { createTestClock, untilSettled, usePayments } from '../../../../test/worlds/test-payments.ts'

const hourMs = 60 * 60_000
const clock = createTestClock()
const t = usePayments({ delayMs: untilSettled, clock, env: { LOG_LEVEL: 'silent' } })
let org: Doubts
const operator = (): string => t.seed.platformAdmin.api_key

beforeEach(() => leaveInDoubt(t))
afterEach(async () => {
  answerAgain(t)
  await expectCleanAudit(t)
})

const inquire = (id: string): Promise<CallAnswer> => {
  clock.pass(60_000)
  return org.call('POST', `/v1/payments/${id}/inquire`, {})
}

/** In doubt for a day, and raised by the engine. */
async function inDoubt(start: () => Promise<string>): Promise<string> {
  const id = await start()
  expect((await org.record(id)).status).toBe('processing')
  clock.pass(25 * hourMs)
  expect((await org.advance(id)).nextPollMs).toBe(24 * hourMs)
  expect(await org.exceptions(`&payment_id=${id}`)).toMatchObject([
    { kind: 'outcome_unknown', status: 'open', suggested_action: expect.stringContaining('/resolve') },
  ])
  return id
}

/** Proposed by staff and approved by who has to. */
async function resolved(id: string, outcome: string, change: Json = {}): Promise<void> {
  const held = await org.resolve(id, outcome, org.staff.token, change)
  expect([held.status, held.body.data.kind]).toEqual([202, 'payment.resolve'])
  const approved = await org.decide(
    held,
    'approve',
    held.body.data.approver === 'operator' ? operator() : org.second.token,
  )
  expect([approved.status, approved.text]).toEqual([200, approved.text])
}

const openExceptions = async (id: string): Promise<string[]> =>
  (await org.exceptions(`&payment_id=${id}&status=open`)).map(({ kind }) => kind)

async function attemptOf(id: string): Promise<Json> {
  return (await org.attempts(id)).at(-1)
}

const settleAtProvider = async (): Promise<void> => {
  answerAgain(t)
  await t.simulator.settle({ all: true })
}

describe.each(['pooled', 'own'] as const)('%s money', (custody) => {
  beforeEach(async () => {
    org = await openDoubts(t, custody)
  })
  const available = custody === 'pooled' ? 'available' : 'available:own'

  it('a payin that two people call completed is posted as on the provider’s word, and marked', async () => {
    const id = await inDoubt(org.startPayin)
    await resolved(id, 'completed', { provider_reference: 'PSK-1' })
    const record = await org.record(id)
    expect(record).toMatchObject({ status: 'completed', provider_status: 'resolved_completed' })
    expect(record.provider_data.resolution_id).toEqual(expect.any(String))
    expect(await org.postings(id)).toMatchObject([
      { kind: 'payin', debit: 'provider:paystack', credit: available, minor: '15000' },
    ])
    expect(await org.eventTypes(id)).toContain('payment.completed')
    expect((await attemptOf(id)).data).toMatchObject({
      provider_status: 'resolved_completed',
      resolution_id: record.provider_data.resolution_id,
    })
    const decision = (await org.timeline(id)).find(({ kind }) => kind === 'resolution')
    expect(decision.data).toMatchObject({ about: 'attempt 1', evidence })
    const [closed] = await org.exceptions(`&payment_id=${id}`)
    expect(closed).toMatchObject({ status: 'closed', resolution: expect.stringContaining('completed') })
    expect([org.second.userId, t.seed.platformAdmin.user_id]).toContain(closed.closed_by)
  })

  it('a payin that two people call failed posts nothing', async () => {
    const id = await inDoubt(org.startPayin)
    await resolved(id, 'failed')
    expect(await org.record(id)).toMatchObject({
      status: 'failed',
      failure: { code: 'RESOLVED_FAILED' },
    })
    expect(await org.postings(id)).toEqual([])
    expect(await openExceptions(id)).toEqual([])
  })

  it('a payout’s hold ends with the decision: posted or released', async () => {
    const paid = await inDoubt(org.startPayout)
    const unpaid = await inDoubt(org.startPayout)
    await resolved(paid, 'completed')
    await resolved(unpaid, 'failed')
    expect((await org.postings(paid)).map(({ kind, phase }) => `${kind} ${phase}`)).toEqual([
      'payout.hold pending',
      'payout.hold.resolved post',
      'payout.settled posted',
    ])
    expect((await org.postings(unpaid)).map(({ kind, phase }) => `${kind} ${phase}`)).toEqual([
      'payout.hold pending',
      'payout.hold.resolved void',
    ])
  })

  it('a completed payout that came back is refunded to the account that paid', async () => {
    const id = await inDoubt(org.startPayout)
    await resolved(id, 'completed')
    await resolved(id, 'returned')
    expect(await org.record(id)).toMatchObject({
      status: 'refunded',
      failure: { code: 'RETURNED' },
      refunded_amount: 150,
    })
    expect(await org.postings(id)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          kind: 'payout.returned',
          debit: 'provider:paystack',
          credit: available,
          minor: '15000',
        }),
      ]),
    )
  })

  it('a success that the provider reports after all is raised again, and booked', async () => {
    for (const start of [org.startPayin, org.startPayout]) {
      const id = await inDoubt(start)
      await resolved(id, 'failed')
      await settleAtProvider()
      expect((await org.record(id)).status).toBe('completed')
      expect(await openExceptions(id)).toEqual(['resolution_contradicted'])
      leaveInDoubt(t)
    }
  })

  it('a payout that the provider still calls paid after people called it returned is raised again', async () => {
    const id = await inDoubt(org.startPayout)
    await resolved(id, 'completed')
    await resolved(id, 'returned')
    await settleAtProvider()
    expect((await org.record(id)).status).toBe('refunded')
    expect(await openExceptions(id)).toEqual(['resolution_contradicted'])
  })

  it('the provider that confirms a decision only tells what it charged', async () => {
    const id = await inDoubt(org.startPayin)
    await resolved(id, 'completed')
    const before = await org.postings(id)
    await settleAtProvider()
    const after = await org.postings(id)
    expect(after.filter(({ kind }) => kind !== 'provider.cost')).toEqual(before)
    expect(await openExceptions(id)).toEqual([])
  })

  it('the provider that answers an inquiry ends the doubt, and the exception with it', async () => {
    const id = await inDoubt(org.startPayout)
    expect((await inquire(id)).body.status).toBe('processing')
    const held = await org.resolve(id, 'failed', org.staff.token)
    await settleAtProvider()
    clock.pass(60_000)
    expect((await inquire(id)).body.status).toBe('completed')
    expect(await openExceptions(id)).toEqual([])
    const approver = custody === 'pooled' ? operator() : org.second.token
    const late = await org.decide(held, 'approve', approver)
    expect([late.status, late.body.message]).toEqual([409, expect.stringContaining('not in doubt')])
    expect((await org.record(id)).status).toBe('completed')
  })
})

describe('inquiring', () => {
  beforeEach(async () => {
    org = await openDoubts(t, 'pooled')
  })

  it('is recorded in the timeline, and limited', async () => {
    const id = await org.startPayin()
    const before = (await org.timeline(id)).filter(({ kind }) => kind === 'inquiry').length
    expect((await inquire(id)).body).toMatchObject({ payment_id: id, status: 'processing' })
    expect((await org.timeline(id)).filter(({ kind }) => kind === 'inquiry')).toHaveLength(before + 1)
    const again = await org.call('POST', `/v1/payments/${id}/inquire`, {})
    expect([again.status, Number(again.headers['retry-after'])]).toEqual([429, expect.any(Number)])
  })

  it('about a completed payment asks whether the provider took it back', async () => {
    const id = await org.startPayin()
    await settleAtProvider()
    expect((await inquire(id)).body).toMatchObject({ payment_id: id, status: 'completed' })
    const { data } = await attemptOf(id)
    await t.simulator.reverse(data.provider, { reference: data.reference, silently: true })
    expect((await inquire(id)).body).toMatchObject({ payment_id: id, status: 'refunded' })
  })

  it('does not count as one of the engine’s polls, and closes nothing by "not found"', async () => {
    const id = await org.startPayin()
    const polls = async (): Promise<number> => (await attemptOf(id)).data.inquiries
    const before = await polls()
    for (let times = 0; times < 3; times++) await inquire(id)
    expect(await polls()).toBe(before)
  })

  it('the operator asks for any organisation, others only for their own', async () => {
    const id = await org.startPayin()
    const other = await openDoubts(t, 'pooled')
    const path = `/v1/payments/${id}/inquire`
    clock.pass(60_000)
    expect((await other.call('POST', path, {})).status).toBe(404)
    expect((await other.call('POST', path, { org_id: org.orgId })).status).toBe(403)
    const asked = await t.call('POST', path, { as: operator(), body: { org_id: org.orgId } })
    expect(asked.status).toBe(200)
  })
})

describe('409: not for people to decide', () => {
  beforeEach(async () => {
    org = await openDoubts(t, 'own')
  })

  it('a payment whose provider still has time', async () => {
    const id = await org.startPayin()
    clock.pass(23 * hourMs)
    expect((await org.resolve(id, 'completed')).status).toBe(409)
    expect((await org.resolve(id, 'returned')).status).toBe(409)
    clock.pass(hourMs)
    expect((await org.resolve(id, 'completed')).status).toBe(202)
  })

  it('a payment that ended, and a payin as returned', async () => {
    const id = await inDoubt(org.startPayin)
    await resolved(id, 'completed')
    for (const outcome of ['completed', 'failed', 'returned'])
      expect((await org.resolve(id, outcome)).status).toBe(409)
  })

  it('evidence is needed', async () => {
    const id = await inDoubt(org.startPayin)
    for (const empty of [undefined, '', 'see mail'])
      expect((await org.resolve(id, 'failed', org.credential, { evidence: empty })).status).toBe(400)
  })
})
