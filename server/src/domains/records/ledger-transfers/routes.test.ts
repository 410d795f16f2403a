import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../lib/ids.ts'
import { explainQuery } from '../../../../test/sql/explain-query.ts'
import { exportCsv } from '../../../../test/files/export-csv.ts'
import { addPerson } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  cardPayin,
  mobileMoneyBeneficiary,
  mobileMoneyPayout,
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const t = usePayments({ delayMs: untilSettled })
let org: OrgPayments
let payout: string
let payin: string
beforeAll(async () => {
  org = await openPayments(t)
  payout = await org.start(mobileMoneyPayout(await org.addBeneficiary(mobileMoneyBeneficiary())))
  payin = await org.start(cardPayin())
  await t.simulator.settle()
})

const path = '/v1/ledger/transfers'
const list = (query = '', as = org.credential): Promise<CallAnswer> =>
  t.call('GET', `${path}${query}`, { as })
const kindsOf = async (query: string): Promise<string[]> => {
  const answer = await list(`?limit=100${query}`)
  expect(answer.status).toBe(200)
  return answer.body.data.map(({ kind }: Json) => kind)
}

describe('200', () => {
  it('shows a hold and its posting, newest first, with the accounts as the ledger has them', async () => {
    const { body } = await list(`?payment_id=${payout}`)
    expect(body.data).toMatchObject([
      { kind: 'payout.settled', phase: 'posted', debit: 'outgoing', custody: null },
      { kind: 'payout.hold.resolved', phase: 'post' },
      {
        transfer_id: `${payout}:payout.hold`,
        org_id: org.orgId,
        cause_id: payout,
        kind: 'payout.hold',
        phase: 'pending',
        debit: 'available',
        credit: 'outgoing',
        currency: 'UGX',
        amount: 5000,
        custody: 'pooled',
      },
    ])
  })

  it('the transfers of a payment are also those of its refunds and adjustments', async () => {
    const refund = await org.call('POST', `/v1/payments/${payin}/refund`, { reason: 'Returned goods' })
    expect(refund.status).toBe(201)
    const adjustmentId = newId()
    await t.owner.query(
      `insert into ledger_adjustments (org_id, adjustment_id, debit_account, credit_account, currency, amount_minor,
         reason, payment_id, proposed_by, approved_by) values ($1, $2, 'fees', 'suspense', 'GBP', 1, 'x', $3, 'a', 'b')`,
      [org.orgId, adjustmentId, payin],
    )
    await t.owner.query(
      `insert into ledger_transfers (org_id, cause_id, kind, phase, debit_account, credit_account, currency, amount_minor)
       values ($1, $2, 'adjustment', 'posted', 'fees', 'suspense', 'GBP', 1)`,
      [org.orgId, adjustmentId],
    )
    const kinds = await kindsOf(`&payment_id=${payin}`)
    expect(kinds).toContain('adjustment')
    expect(kinds.some((kind) => kind.startsWith('refund'))).toBe(true)
    expect(kinds.some((kind) => kind.startsWith('payin'))).toBe(true)
    expect(await kindsOf(`&payment_id=${newId()}`)).toEqual([])
  })

  it.each([
    ['account_kind=outgoing', ({ debit, credit }: Json) => [debit, credit].includes('outgoing')],
    ['account_kind=provider', ({ debit, credit }: Json) => `${debit} ${credit}`.includes('provider:')],
    ['account_kind=opening', ({ debit, credit }: Json) => [debit, credit].includes('opening')],
    ['account=outgoing', ({ debit, credit }: Json) => [debit, credit].includes('outgoing')],
    ['currency=GBP', ({ currency }: Json) => currency === 'GBP'],
    ['custody=pooled', ({ custody }: Json) => custody === 'pooled'],
  ])('filtered by %s', async (filter, matches) => {
    const all: Json[] = (await list('?limit=100')).body.data
    const found: Json[] = (await list(`?limit=100&${filter}`)).body.data
    expect(found.length).toBeGreaterThan(0)
    expect(found).toEqual(all.filter(matches))
    expect(found.length).toBeLessThan(all.length)
  })

  it('filtered by time', async () => {
    const [newest, resolved]: Json[] = (await list(`?payment_id=${payout}`)).body.data
    expect(await kindsOf(`&payment_id=${payout}&from=${newest.created_at}`)).toEqual([
      newest.kind,
      resolved.kind,
    ])
    expect(await kindsOf(`&payment_id=${payout}&to=${newest.created_at}`)).toEqual(['payout.hold'])
    expect(await kindsOf('&custody=own')).toEqual([])
  })

  it('pages through every transfer exactly once, and exports the same rows', async () => {
    const all: Json[] = (await list('?limit=100')).body.data
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body } = await list(`?limit=3${cursor && `&last_evaluated_key=${cursor}`}`)
      seen.push(...body.data.map(({ transfer_id }: Json) => transfer_id))
      cursor = body.meta.last_evaluated_key
    }
    expect(seen).toEqual(all.map(({ transfer_id }) => transfer_id))
    expect(await exportCsv(t, path, org.credential)).toHaveLength(all.length + 1)
  })

  it('the operator may read those of an organisation', async () => {
    const answer = await list(`?org_id=${org.orgId}&payment_id=${payout}`, t.seed.platformAdmin.api_key)
    expect(answer.body.data).toHaveLength(3)
  })

  it('is read by the index of the organisation and the time', async () => {
    const plan = await explainQuery(
      t.owner,
      `select * from ledger_transfers where org_id = $1
       order by created_at desc, cause_id desc, kind desc limit 10`,
      [org.orgId],
    )
    expect(plan).toContain('ledger_transfers_by_age')
  })
})

describe('400', () => {
  it.each([
    '?account_kind=money',
    '?custody=mine',
    '?payment_id=1',
    '?from=yesterday',
    '?last_evaluated_key=x',
  ])('%s', async (query) => {
    expect((await list(query)).status).toBe(400)
  })

  it('a cursor of other filters', async () => {
    const { body } = await list('?limit=1')
    const query = `?limit=1&currency=UGX&last_evaluated_key=${body.meta.last_evaluated_key}`
    expect((await list(query)).status).toBe(400)
  })
})

describe('401', () => {
  it('without a credential', async () => {
    expect((await t.call('GET', path)).status).toBe(401)
  })
})

describe('403', () => {
  it.each([
    ['viewer', 200],
    ['staff', 200],
    ['org-admin', 200],
  ] as const)('%s: %i', async (role, status) => {
    const { token } = await addPerson(t, org.orgId, role)
    expect((await list('', token)).status).toBe(status)
  })

  it('another organisation', async () => {
    const other = await openPayments(t)
    expect((await list(`?org_id=${org.orgId}`, other.credential)).status).toBe(403)
    expect((await list(`?payment_id=${payout}`, other.credential)).body.data).toEqual([])
  })
})
