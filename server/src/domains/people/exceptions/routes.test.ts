import { createHmac, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { addPerson } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  bankBeneficiary,
  bankPayout,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'
import { insertException } from './raise-exception.ts'
import type { ExceptionKind } from './describe-kinds.ts'

const exceptions = '/v1/payments/exceptions'
const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
beforeEach(async () => {
  org = await openPayments(t)
})

/** Raises an exception the way the domains do. */
const raise = (kind: ExceptionKind, findingKey: string, paymentId: string | null = null): Promise<unknown> =>
  t.deps.db.batchInOrg(org.orgId, [
    insertException(org.orgId, {
      kind,
      paymentId,
      provider: 'paystack',
      summary: `${kind} was found`,
      findingKey,
    }),
  ])
const close = (
  id: string,
  body: Json = { resolution: 'Dealt with' },
  as = org.credential,
): Promise<CallAnswer> => t.call('POST', `${exceptions}/${id}/close`, { as, body })
const release = (id: string, body: Json = { outcome: 'kept', comment: 'Ours' }, as = org.credential) =>
  t.call('POST', `${exceptions}/${id}/release-money`, { as, body })

describe('200', () => {
  it('an exception is listed with a suggested action and appears in the payment’s timeline', async () => {
    const body = bankPayout(await org.addBeneficiary(bankBeneficiary()), {
      amount: 20.25,
      target_amount: 20.25,
    })
    const id = await org.start(body)
    await t.simulator.settle({ all: true })
    const [found] = await org.exceptions()
    expect(found).toMatchObject({
      org_id: org.orgId,
      payment_id: id,
      provider: 'paystack',
      kind: 'payout_returned',
      status: 'open',
      summary: expect.any(String),
      suggested_action: expect.any(String),
      resolution: null,
      closed_by: null,
      closed_at: null,
    })
    const entry = (await org.timeline(id)).find(({ kind }) => kind === 'exception')
    expect(entry.data).toMatchObject({ exception_id: found.exception_id, status: 'open' })
  })

  it('a finding is raised once while open, and again after it was closed', async () => {
    for (let times = 0; times < 3; times++) await raise('missing_here', 'odd 1')
    const [first, ...more] = await org.exceptions()
    expect(more).toEqual([])
    await close(first.exception_id)
    await raise('missing_here', 'odd 1')
    expect((await org.exceptions()).map(({ status }) => status)).toEqual(['open', 'closed'])
  })

  it('a person closes it with a resolution', async () => {
    await raise('missing_here', 'odd 1')
    const staff = await addPerson(t, org.orgId, 'staff')
    const [{ exception_id }] = await org.exceptions()
    const answer = await close(exception_id, { resolution: 'Refunded by hand' }, staff.token)
    expect(answer.body.data).toMatchObject({
      exception_id,
      status: 'closed',
      resolution: 'Refunded by hand',
      closed_by: staff.userId,
      closed_at: expect.any(String),
    })
  })

  it('filtered by status, kind and payment', async () => {
    const id = await org.start(bankPayout(await org.addBeneficiary(bankBeneficiary())))
    await raise('missing_here', 'a', id)
    await raise('missing_here', 'b')
    await raise('late_success', 'c')
    const kinds = async (filter: string): Promise<string[]> =>
      (await org.exceptions(filter)).map(({ kind }) => kind)
    expect(await kinds('&kind=missing_here')).toEqual(['missing_here', 'missing_here'])
    expect(await kinds(`&payment_id=${id}`)).toEqual(['missing_here'])
    expect(await kinds('&status=closed')).toEqual([])
    await close((await org.exceptions('&kind=late_success'))[0].exception_id)
    expect(await kinds('&status=closed')).toEqual(['late_success'])
    expect(await kinds('&status=open')).toEqual(['missing_here', 'missing_here'])
  })

  it('pages list every exception once, newest first', async () => {
    for (let index = 0; index < 5; index++) await raise('missing_here', `key ${index}`)
    const seen: Json[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: string = cursor === '' ? '' : `&last_evaluated_key=${encodeURIComponent(cursor)}`
      const { body } = await org.call('GET', `${exceptions}?limit=2${page}`)
      seen.push(...body.data)
      cursor = body.meta.last_evaluated_key
    }
    const ids: string[] = seen.map(({ exception_id }) => exception_id)
    expect(new Set(ids).size).toBe(5)
    expect(ids).toHaveLength(5)
    const moments: string[] = seen.map(({ created_at }) => created_at)
    expect(moments).toEqual(moments.toSorted().reverse())
  })

  it('the operator reads and closes exceptions of the installation', async () => {
    const operator = t.seed.platformAdmin.api_key
    const reference = randomUUID()
    const rawBody = JSON.stringify({ event: 'charge.success', data: { id: 1, status: 'success', reference } })
    const signature = createHmac('sha512', 'sk_test_switchyard_sandbox').update(rawBody).digest('hex')
    const { body } = await t.call('GET', '/v1/payments/provider-credentials', { as: operator })
    const address = body.data.find(({ provider }: Json) => provider === 'paystack').webhook_url
    const headers = { 'x-paystack-signature': signature }
    await t.call('POST', new URL(address).pathname, { rawBody, headers, unaudited: true })
    const list = await t.call('GET', `${exceptions}?status=open`, { as: operator })
    const found = list.body.data.find(({ summary }: Json) => summary.includes(reference))
    expect(found).toMatchObject({ org_id: null, kind: 'unknown_reference' })
    expect((await close(found.exception_id)).status).toBe(404)
    expect((await close(found.exception_id, undefined, operator)).body.data.status).toBe('closed')
  })
})

describe('400', () => {
  it.each([{}, { resolution: '' }, { resolution: '   ' }, { resolution: 'x'.repeat(2001) }])(
    'without words there is no closing',
    async (body) => {
      await raise('missing_here', 'odd 1')
      expect((await close((await org.exceptions())[0].exception_id, body)).status).toBe(400)
    },
  )

  it.each([{}, { outcome: 'kept' }, { outcome: 'lost', comment: 'x' }, { outcome: 'kept', comment: ' ' }])(
    'money is not released by %j',
    async (body) => {
      await raise('missing_here', 'odd 1')
      expect((await release((await org.exceptions())[0].exception_id, body)).status).toBe(400)
    },
  )

  it.each(['?status=lost', '?payment_id=17', '?limit=0', '?limit=101', '?last_evaluated_key=abc'])(
    '%s',
    async (query) => {
      expect((await org.call('GET', `${exceptions}${query}`)).status).toBe(400)
    },
  )
})

describe('403', () => {
  it('a viewer may list but not close', async () => {
    const viewer = await addPerson(t, org.orgId, 'viewer')
    await raise('missing_here', 'odd 1')
    expect((await t.call('GET', exceptions, { as: viewer.token })).body.data).toHaveLength(1)
    const [{ exception_id }] = await org.exceptions()
    expect((await close(exception_id, undefined, viewer.token)).status).toBe(403)
    expect((await release(exception_id, undefined, viewer.token)).status).toBe(403)
  })
})

describe('404', () => {
  it('another organisation’s exceptions can be neither listed nor closed', async () => {
    await raise('missing_here', 'odd 1')
    const [{ exception_id }] = await org.exceptions()
    const stranger = await openPayments(t)
    expect(await stranger.exceptions()).toEqual([])
    expect((await close(exception_id, undefined, stranger.credential)).status).toBe(404)
    expect((await release(exception_id, undefined, stranger.credential)).status).toBe(404)
    expect((await org.exceptions())[0].status).toBe('open')
  })
})

describe('409', () => {
  it('an exception that is already closed', async () => {
    await raise('missing_here', 'odd 1')
    const [{ exception_id }] = await org.exceptions()
    await close(exception_id)
    expect((await close(exception_id, { resolution: 'Another story' })).status).toBe(409)
    expect((await org.exceptions())[0].resolution).toBe('Dealt with')
  })

  it('an exception without money in suspense', async () => {
    await raise('missing_here', 'odd 1')
    const [{ exception_id, held }] = await org.exceptions()
    expect(held).toBeNull()
    expect((await release(exception_id)).status).toBe(409)
  })
})
