import { person } from '../attacks/operator.ts'
import { between } from '../../shared/chance.ts'
import { fieldOf, type Gang } from '../gang.ts'
import { oneOf, type Move, type WeightedMove } from './move.ts'

const said = 'The statement of the provider says so, line 1.'

/** The organisations whose people could be friends of the clerk. */
const friends = ({ installation: { people } }: Gang): string[] =>
  [people.hostile, people.unverified, people.founded, people.trader].map(({ orgId }) => orgId)

/** Whatever waits, the clerk tries to approve. */
const loosen: Move = async (clerk, chance) => {
  const orgId = oneOf(chance, friends(clerk))
  const path = `/v1/organizations/${orgId}`
  const members = `/v1/organizations/${clerk.org.orgId}/members`
  const amount = between(chance, 1, 90) * 10_000
  const held = await oneOf(chance, [
    () =>
      clerk.ask({
        method: 'PUT',
        path: `${path}/credit-limits`,
        body: { limits: [{ currency: oneOf(chance, ['KES', 'UGX', 'NGN']), amount }] },
      }),
    () => clerk.ask({ method: 'PATCH', path, body: { payouts_require_kyb: false } }),
    () => clerk.ask({ method: 'PATCH', path, body: { rate_margin_bps: between(chance, 1, 900) } }),
    () => clerk.ask({ method: 'POST', path: members, body: { ...person(), role: 'platform-admin' } }),
    () =>
      clerk.ask({
        method: 'POST',
        path: '/v1/fees/schedules',
        body: { org_id: orgId, label: 'robbery', percent: 1 },
      }),
    () =>
      clerk.ask({
        method: 'POST',
        path: '/v1/ledger/adjustments',
        body: { org_id: orgId, debit: 'opening', credit: 'available', currency: 'KES', amount, reason: said },
      }),
    () => clerk.ask({ method: 'PUT', path: `${path}/approval-policies`, body: { policies: [] } }),
  ])()
  const requestId = fieldOf(held, 'request_id')
  const request = `/v1/organizations/${fieldOf(held, 'org_id') ?? orgId}/change-requests/${requestId}`
  if (requestId !== undefined && held.status === 202)
    await clerk.ask({ method: 'POST', path: `${request}/approve`, body: {} })
}

const read: Move = (clerk, chance) =>
  clerk.ask({
    method: 'GET',
    path: oneOf(chance, [
      `/v1/organizations/${oneOf(chance, friends(clerk))}/credit-limits`,
      '/v1/users/me/waiting',
      '/v1/screening/matches?status=open',
    ]),
  })

/** What a friend at a customer asks for, which takes another operator too. */
const befriend: Move = async (clerk, chance) => {
  const { people } = clerk.installation
  const { admin } = oneOf(chance, [people.hostile, people.unverified, people.founded, people.trader])
  const held = await clerk.ask({
    by: admin,
    method: 'POST',
    path: '/v1/ledger/adjustments',
    body: {
      debit: 'opening',
      credit: 'available',
      currency: oneOf(chance, ['KES', 'UGX', 'NGN']),
      amount: between(chance, 1, 90) * 1_000,
      reason: said,
    },
  })
  const request = `/v1/organizations/${fieldOf(held, 'org_id')}/change-requests/${fieldOf(held, 'request_id')}`
  if (held.status !== 202) return
  for (let times = between(chance, 1, 2); times > 0; times--)
    await clerk.ask({ method: 'POST', path: `${request}/approve`, body: {} })
}

/** Matches of other organisations, which take another operator to clear. */
const clear: Move = (clerk, chance) => {
  const path = `/v1/screening/matches/${clerk.notebook.any('match_id', chance)}/clear`
  return clerk.ask({ method: 'POST', path, body: { reason: said } })
}

export const operatorMoves: readonly WeightedMove[] = [
  [loosen, 8],
  [befriend, 3],
  [read, 2],
  [clear, 2],
]
