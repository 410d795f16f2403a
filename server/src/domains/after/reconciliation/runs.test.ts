import { beforeAll, describe, expect, it } from 'vitest'
import { exportCsv } from '../../../../test/files/export-csv.ts'
import { addPerson } from '../../../../test/app/people.ts'
import type { CallAnswer, Json } from '../../../../test/app/test-app.ts'
import {
  openPayments,
  untilSettled,
  usePayments,
  type OrgPayments,
} from '../../../../test/worlds/test-payments.ts'

const t = usePayments({ delayMs: untilSettled })
const since = new Date(Date.now() - 3_600_000).toISOString()
const path = '/v1/reconciliation/runs'
let org: OrgPayments
beforeAll(async () => {
  org = await openPayments(t)
  for (const provider of ['paystack', 'stripe', 'paystack'])
    await org.call('POST', '/v1/payments/reconciliation', { provider, since })
})

const list = (query = '', as = org.credential): Promise<CallAnswer> =>
  t.call('GET', `${path}${query}`, { as })

describe('200', () => {
  it('shows who asked for a comparison, of what, and what it found', async () => {
    const { body } = await list()
    expect(body.data.map(({ provider }: Json) => provider)).toEqual(['paystack', 'stripe', 'paystack'])
    const { userId } = await requester()
    expect(body.data[0]).toEqual({
      run_id: expect.any(String),
      org_id: org.orgId,
      provider: 'paystack',
      account_id: expect.any(String),
      origin: 'requested',
      requested_by: userId,
      since,
      status: 'completed',
      checked: 0,
      findings: 0,
      started_at: expect.any(String),
      finished_at: expect.any(String),
    })
  })

  it('filters by provider and status, pages and exports', async () => {
    expect((await list('?provider=stripe')).body.meta.count).toBe(1)
    expect((await list('?status=failed')).body.data).toEqual([])
    const first = (await list('?limit=2')).body
    const next = await list(`?limit=2&last_evaluated_key=${first.meta.last_evaluated_key}`)
    expect([first.meta.count, next.body.meta.count, next.body.meta.last_evaluated_key]).toEqual([2, 1, null])
    expect(await exportCsv(t, path, org.credential)).toHaveLength(4)
  })

  it.each(['viewer', 'staff', 'org-admin'] as const)('a member who is %s may read them', async (role) => {
    const { token } = await addPerson(t, org.orgId, role)
    expect((await list('', token)).body.meta.count).toBe(3)
  })

  it('shows nothing of another organisation', async () => {
    expect((await list('', (await openPayments(t)).credential)).body.data).toEqual([])
  })
})

const requester = async (): Promise<{ userId: string }> => {
  const { body } = await t.call('GET', '/v1/users/me', { as: org.credential })
  return { userId: body.data.user_id }
}

describe('400', () => {
  it.each(['?provider=acme', '?status=open', '?limit=0', '?last_evaluated_key=x'])('%s', async (query) => {
    expect((await list(query)).status).toBe(400)
  })
})

describe('401', () => {
  it('without a credential', async () => {
    expect((await t.call('GET', path)).status).toBe(401)
  })
})
