import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  createTestClock,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { advanceDispute } from './advance-dispute.ts'
import { notifyMembers } from './notify-members.ts'
import { requeueDisputes } from './requeue-disputes.ts'
import {
  brokenPromises,
  completeEvidence,
  disputable,
  onlyDispute,
  paid,
  pdf,
  type DisputableProvider,
} from './testing/disputed-payments.ts'

const clock = createTestClock()
let passedMs = 0
const pass = (ms: number): void => {
  passedMs += ms
  clock.pass(ms)
}
const t = usePayments({ delayMs: untilSettled, clock, env: { LOG_LEVEL: 'silent' } })
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})
afterEach(() => {
  // Signatures have a time window.
  pass(-passedMs)
  for (const provider of Object.keys(disputable)) t.simulator.setFaults(provider, [])
})

const minute = 60_000
const hour = 60 * minute

async function disputed(provider: DisputableProvider, dueInMs?: number) {
  const payment = await paid(t, org, disputable[provider])
  const { id } = await t.simulator.dispute(provider, {
    reference: payment.reference,
    ...(dueInMs !== undefined && { due_in_ms: dueInMs }),
  })
  const { dispute_id } = await onlyDispute(org)
  return { payment, id, disputeId: dispute_id as string }
}
const respond = (disputeId: string, action: 'submit' | 'accept') =>
  org.call('POST', `/v1/disputes/${disputeId}/${action}`)
const addEvidence = (disputeId: string, body: object = completeEvidence) =>
  org.call('POST', `/v1/disputes/${disputeId}/evidence`, body)
const advance = (disputeId: string) => advanceDispute(t.deps, { orgId: org.orgId, disputeId, poll: 0 })
const evidenceAt = (provider: DisputableProvider, id: string) =>
  t.simulator.disputes(provider).find((one) => one.id === id)

describe('a response whose outcome is not known', () => {
  it.each(['stripe', 'paystack', 'flutterwave'] as const)(
    '%s: was received, and the next question finds it',
    async (provider) => {
      const { id, disputeId } = await disputed(provider)
      t.simulator.setFaults(provider, [
        { on: 'dispute', fault: 'error_500_accepted' },
        { on: 'webhook', fault: 'webhook_drop' },
        { on: 'dispute', fault: 'webhook_drop' },
      ])
      const answer = await respond(disputeId, 'accept')
      expect(answer.status).toBe(200)
      expect(answer.body.data).toMatchObject({ state: 'needs_response', pending_action: 'accept' })
      expect((await respond(disputeId, 'accept')).status).toBe(409)
      expect(evidenceAt(provider, id)?.status).not.toBe('initiated')
      pass(5 * minute)
      expect(await advance(disputeId)).toBeUndefined()
      expect(await onlyDispute(org)).toMatchObject({ state: 'accepted', pending_action: null })
    },
  )

  it('was never received: the provider says so after a while, and people may respond again', async () => {
    const { disputeId } = await disputed('stripe')
    await addEvidence(disputeId)
    t.simulator.setFaults('stripe', [{ on: 'dispute', fault: 'error_500' }])
    expect((await respond(disputeId, 'submit')).body.data.pending_action).toBe('submit')
    pass(5 * minute)
    expect(await advance(disputeId)).toBeGreaterThan(0)
    expect(await onlyDispute(org)).toMatchObject({ state: 'needs_response', pending_action: 'submit' })
    pass(15 * minute)
    expect(await advance(disputeId)).toBeUndefined()
    expect(await onlyDispute(org)).toMatchObject({ state: 'needs_response', pending_action: null })
    expect((await respond(disputeId, 'submit')).body.data.state).toBe('under_review')
  })

  it('adyen has no lookup: it stays unknown, a person is told after a day, and its webhook settles it', async () => {
    const { id, disputeId } = await disputed('adyen')
    t.simulator.setFaults('adyen', [{ on: 'dispute', fault: 'error_500' }])
    expect((await respond(disputeId, 'accept')).body.data.pending_action).toBe('accept')
    pass(12 * hour)
    expect(await advance(disputeId)).toBeGreaterThan(0)
    pass(12 * hour)
    expect(await advance(disputeId)).toBeUndefined()
    expect(await org.exceptions()).toMatchObject([{ kind: 'dispute_action_unknown' }])
    expect(await onlyDispute(org)).toMatchObject({ state: 'needs_response', pending_action: 'accept' })
    await t.simulator.dispute('adyen', { id, action: 'lose' })
    expect(await onlyDispute(org)).toMatchObject({ state: 'accepted', pending_action: null })
  })

  it('a response that a dead process began is asked about, also after a rebuild', async () => {
    const { disputeId } = await disputed('stripe')
    await t.owner.query(
      `update disputes set action = 'accept', action_state = 'sending', action_reference = gen_random_uuid(),
         action_by = 'ann', action_at = $2 where dispute_id = $1`,
      [disputeId, clock.now()],
    )
    expect(await advance(disputeId)).toBeGreaterThan(0)
    expect(await requeueDisputes(t.deps)).toBeGreaterThanOrEqual(2)
    pass(20 * minute)
    expect(await advance(disputeId)).toBeUndefined()
    expect(await onlyDispute(org)).toMatchObject({ state: 'needs_response', pending_action: null })
  })
})

describe('a response that is refused or not sent', () => {
  it('422: the provider’s clear refusal leaves the dispute as it was', async () => {
    const { disputeId } = await disputed('paystack')
    await addEvidence(disputeId, { texts: { notes: 'No file.' } })
    const answer = await respond(disputeId, 'submit')
    expect(answer.status).toBe(422)
    expect(answer.body.message).toContain('customer_email')
    expect(await onlyDispute(org)).toMatchObject({ state: 'needs_response', pending_action: null })
  })

  it('502: nothing was sent', async () => {
    const { disputeId } = await disputed('stripe')
    await addEvidence(disputeId)
    t.simulator.setFaults('stripe', [{ on: 'prepare', fault: 'error_500' }])
    expect((await respond(disputeId, 'submit')).status).toBe(502)
    expect(await onlyDispute(org)).toMatchObject({ state: 'needs_response', pending_action: null })
  })
})

describe('evidence', () => {
  it('is kept sealed, listed without its content, and sent as it was', async () => {
    const { id, disputeId } = await disputed('stripe')
    const added = await addEvidence(disputeId)
    expect(added.body.data.evidence).toHaveLength(6)
    expect(added.text).not.toContain('Delivered and signed for')
    const { rows } = await t.owner.query(
      'select content_sealed from dispute_evidence where dispute_id = $1',
      [disputeId],
    )
    for (const { content_sealed } of rows)
      expect(content_sealed.toString('latin1')).not.toMatch(/Delivered|%PDF/)
    await respond(disputeId, 'submit')
    expect(evidenceAt('stripe', id)?.evidence).toMatchObject([
      { uncategorized_text: 'Delivered and signed for.', receipt: expect.stringMatching(/^file_/) },
    ])
  })

  it.each([
    ['nothing', {}],
    ['an unknown field', { texts: { secret: 'x' } }],
    ['no base64', { files: [{ purpose: 'receipt', name: 'a.pdf', content: '%%%' }] }],
    [
      'another type',
      { files: [{ purpose: 'receipt', name: 'a.pdf', content: Buffer.from('<html>').toString('base64') }] },
    ],
    [
      'a file that is too large',
      {
        files: [
          {
            purpose: 'receipt',
            name: 'a.pdf',
            content: Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(2 * 1024 * 1024)]).toString('base64'),
          },
        ],
      },
    ],
    ['a path as a name', { files: [{ purpose: 'receipt', name: '../a.pdf', content: pdf }] }],
    [
      'eleven files',
      { files: Array.from({ length: 11 }, () => ({ purpose: 'other', name: 'a.pdf', content: pdf })) },
    ],
  ])('400: %s', async (_case, body) => {
    const { disputeId } = await disputed('stripe')
    expect((await addEvidence(disputeId, body)).status).toBe(400)
  })

  it('413: more than the body may have', async () => {
    const { disputeId } = await disputed('stripe')
    const content = Buffer.alloc(4 * 1024 * 1024, 'A').toString('latin1')
    const files = [{ purpose: 'receipt', name: 'a.pdf', content }]
    expect((await addEvidence(disputeId, { files })).status).toBe(413)
  })

  it('400: ten files in all, over several calls', async () => {
    const { disputeId } = await disputed('stripe')
    const files = Array.from({ length: 6 }, () => ({ purpose: 'other', name: 'a.pdf', content: pdf }))
    expect((await addEvidence(disputeId, { files })).status).toBe(201)
    expect((await addEvidence(disputeId, { files })).status).toBe(400)
  })

  it('409: a dispute that has ended takes none', async () => {
    const { id, disputeId } = await disputed('stripe')
    await t.simulator.dispute('stripe', { id, action: 'lose' })
    expect((await addEvidence(disputeId)).status).toBe(409)
  })

  it('404: of another organisation', async () => {
    const { disputeId } = await disputed('stripe')
    org = await openPayments(t)
    for (const path of [`/v1/disputes/${disputeId}`]) expect((await org.call('GET', path)).status).toBe(404)
    expect((await addEvidence(disputeId)).status).toBe(404)
    expect((await respond(disputeId, 'accept')).status).toBe(404)
  })
})

describe('the notice before the deadline', () => {
  const notices = async () => {
    const { rows } = await t.owner.query(
      `select template from notifications where org_id = $1 and template = 'dispute-due'`,
      [org.orgId],
    )
    return rows.length
  }
  const remind = (disputeId: string) => notifyMembers(t.deps, { orgId: org.orgId, disputeId })

  it('is sent once, two days before it', async () => {
    const { disputeId } = await disputed('stripe', 7 * 24 * hour)
    const { rows } = await t.owner.query(
      `select extract(epoch from d.due_by - o.due_at)::integer as early from outbox o join disputes d on d.dispute_id = o.outbox_id
       where o.outbox_id = $1`,
      [disputeId],
    )
    expect(rows).toEqual([{ early: 48 * 3_600 }])
    expect(await remind(disputeId)).toBeGreaterThan(4 * 24 * hour)
    expect(await notices()).toBe(0)
    pass(6 * 24 * hour)
    expect(await remind(disputeId)).toBeUndefined()
    expect(await notices()).toBeGreaterThan(0)
    const first = await notices()
    expect(await remind(disputeId)).toBeUndefined()
    expect(await notices()).toBe(first)
  })

  it('is not sent for a dispute that was answered or has ended', async () => {
    const { id, disputeId } = await disputed('stripe', hour)
    await t.simulator.dispute('stripe', { id, action: 'lose' })
    const { rows } = await t.owner.query('select 1 from outbox where outbox_id = $1', [disputeId])
    expect(rows).toEqual([])
    expect(await remind(disputeId)).toBeUndefined()
    expect(await notices()).toBe(0)
  })
})

describe('the list', () => {
  it('is filtered by state, provider, payment and deadline', async () => {
    const one = await disputed('stripe', hour)
    const list = async (query: string) =>
      (await org.call('GET', `/v1/disputes?${query}`)).body.data.map(
        (row: { dispute_id: string }) => row.dispute_id,
      )
    const soon = new Date(clock.now().getTime() + 2 * hour).toISOString()
    const past = new Date(clock.now().getTime() - hour).toISOString()
    for (const query of [
      'state=needs_response',
      'provider=stripe',
      `payment_id=${one.payment.id}`,
      `due_before=${soon}`,
    ])
      expect(await list(query)).toEqual([one.disputeId])
    for (const query of ['state=won', 'provider=adyen', `payment_id=${one.disputeId}`, `due_before=${past}`])
      expect(await list(query)).toEqual([])
  })

  it('400: an unknown state', async () => {
    expect((await org.call('GET', '/v1/disputes?state=open')).status).toBe(400)
  })
})

describe('afterwards', () => {
  it('the audit finds nothing', async () => {
    expect(await brokenPromises(t)).toEqual([])
  })
})
