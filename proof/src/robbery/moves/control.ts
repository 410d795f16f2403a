import { randomUUID } from 'node:crypto'
import { between } from '../../shared/chance.ts'
import type { Gang } from '../gang.ts'
import type { Person } from '../people.ts'
import { oneOf, somebody, type Move, type WeightedMove } from './move.ts'

const personsLimit = 12
const permissions = [
  ['payouts:approve'],
  ['payouts:approve', 'provider-configs:write'],
  ['approval-policies:write'],
]

/** Adds a member and signs in as them: the new person is the same thief. */
export async function addPuppet(
  gang: Gang,
  { by = gang.org.admin, role }: { by?: Person; role: string },
): Promise<Person | undefined> {
  const userId = randomUUID()
  const heard = await gang.ask({
    by,
    method: 'POST',
    path: `/v1/organizations/${gang.org.orgId}/members`,
    body: {
      user_id: userId,
      email: `${userId}@robbery.test`,
      first_name: 'Puppet',
      last_name: 'Member',
      role,
    },
  })
  gang.notebook.add('user_id', userId)
  // A 202 is a change request: the member does not exist until somebody else approves it.
  if (heard.status !== 201) return undefined
  const person = await gang.installation.signIn(userId, gang.org.orgId)
  if (gang.persons.length < personsLimit) gang.persons.push(person)
  return person
}

const addMember: Move = (gang, chance) =>
  addPuppet(gang, {
    by: somebody(gang, chance),
    role: oneOf(chance, ['org-admin', 'staff', 'staff', 'viewer']),
  })

/** Never about the thief's first administrator, who would lose the permissions that the run needs. */
const changeMember: Move = (gang, chance) => {
  const known = gang.notebook.all('user_id').filter((userId) => userId !== gang.org.admin.userId)
  const path = `/v1/organizations/${gang.org.orgId}/members/${oneOf(chance, known)}`
  const by = somebody(gang, chance)
  return oneOf(chance, [
    () => gang.ask({ by, method: 'PATCH', path, body: { role: oneOf(chance, ['org-admin', 'staff']) } }),
    () =>
      gang.ask({
        by,
        method: 'POST',
        path: `${path}/permissions`,
        body: { permissions: oneOf(chance, permissions) },
      }),
    () =>
      gang.ask({
        by,
        method: 'DELETE',
        path: `${path}/permissions`,
        body: { permissions: oneOf(chance, permissions) },
      }),
    () =>
      gang.ask({
        by,
        method: 'PUT',
        path: `${path}/permissions`,
        body: { permissions: oneOf(chance, permissions) },
      }),
  ])()
}

const policies: Move = (gang, chance) =>
  gang.ask({
    by: somebody(gang, chance),
    method: 'PUT',
    path: `/v1/organizations/${gang.org.orgId}/approval-policies`,
    body: {
      policies: oneOf<readonly object[]>(chance, [
        [],
        [],
        [{ currency: 'KES', payout_from: 1e9 }],
        [{ currency: 'UGX', payout_from: 1e9 }],
        [{ currency: 'KES', payout_from: 10_000, daily_from: 30_000 }],
      ]),
    },
  })

const changeRequest: Move = (gang, chance) => {
  const path = `/v1/organizations/${gang.org.orgId}/change-requests`
  const one = `${path}/${gang.notebook.any('change_request_id', chance)}`
  const by = somebody(gang, chance)
  return oneOf(chance, [
    () => gang.ask({ by, method: 'GET', path }),
    () => gang.ask({ by, method: 'POST', path: `${one}/approve`, body: {} }),
    () => gang.ask({ by, method: 'POST', path: `${one}/approve`, body: {} }),
    () => gang.ask({ by, method: 'POST', path: `${one}/reject`, body: {} }),
    () => gang.ask({ by, method: 'POST', path: `${one}/cancel`, body: {} }),
    () =>
      gang.ask({
        by,
        method: 'PUT',
        path: `/v1/organizations/${gang.org.orgId}/change-control`,
        body: { enabled: chance() < 0.3 },
      }),
  ])()
}

/** What only two people may decide, and the operator where money is pooled: outcomes, and corrections of the ledger. */
const decideAlone: Move = (gang, chance) => {
  const by = somebody(gang, chance)
  const said = 'The statement of the provider says so, line 1.'
  const path = `/v1/payments/${gang.notebook.any('payment_id', chance)}`
  const adjustment = {
    debit: oneOf(chance, ['opening', 'fees', `provider:paystack:${gang.notebook.any('account_id', chance)}`]),
    credit: oneOf(chance, ['available', 'available', 'available:own']),
    currency: oneOf(chance, ['KES', 'UGX', 'NGN']),
    amount: between(chance, 1, 90) * 1_000,
    reason: said,
  }
  return oneOf(chance, [
    () =>
      gang.ask({
        by,
        method: 'POST',
        path: `${path}/resolve`,
        body: { outcome: oneOf(chance, ['completed', 'failed', 'returned']), evidence: said },
      }),
    () => gang.ask({ by, method: 'POST', path: `${path}/inquire`, body: {} }),
    () => gang.ask({ by, method: 'POST', path: '/v1/ledger/adjustments', body: adjustment }),
    () => gang.ask({ by, method: 'POST', path: '/v1/ledger/adjustments', body: adjustment }),
  ])()
}

/** Settings that belong to the operator: verification, credit limits, the margin. */
const organization: Move = (gang, chance) => {
  const path = `/v1/organizations/${gang.org.orgId}`
  const by = somebody(gang, chance)
  return oneOf(chance, [
    () => gang.ask({ by, method: 'PATCH', path, body: { payouts_require_kyb: false } }),
    () => gang.ask({ by, method: 'PATCH', path, body: { rate_margin_bps: 0 } }),
    () => gang.ask({ by, method: 'PATCH', path, body: { own_accounts_only: chance() < 0.2 } }),
    () =>
      gang.ask({
        by,
        method: 'PUT',
        path: `${path}/credit-limits`,
        body: { limits: [{ currency: 'KES', amount: 1e9 }] },
      }),
  ])()
}

const apiKey: Move = (gang, chance) => {
  const by = somebody(gang, chance)
  const path = '/v1/public/api-keys'
  return oneOf(chance, [
    () => gang.ask({ by, method: 'POST', path, body: { name: `key ${between(chance, 1, 99)}` } }),
    () => gang.ask({ by, method: 'GET', path }),
    // The key may be another member's: whoever gets a new secret for it acts as that member.
    () =>
      gang.ask({
        by,
        method: 'POST',
        path: `${path}/${gang.notebook.any('api_key_id', chance)}/rotate`,
        body: { overlap_seconds: 3_600 },
      }),
  ])()
}

const invite: Move = (gang, chance) =>
  gang.ask({
    by: somebody(gang, chance),
    method: 'POST',
    path: `/v1/organizations/${gang.org.orgId}/invitations`,
    body: { email: `${randomUUID()}@robbery.test`, role: oneOf(chance, ['org-admin', 'staff', 'viewer']) },
  })

/** Of an organisation with one administrator, change control could be switched off. */
const removeMember: Move = (gang, chance) => {
  const { admin, staff, accomplice } = gang.org
  const needed = [admin, staff, accomplice].map((person) => person?.userId)
  const others = gang.notebook.all('user_id').filter((userId) => !needed.includes(userId))
  if (others.length === 0) return invite(gang, chance)
  const path = `/v1/organizations/${gang.org.orgId}/members/${oneOf(chance, others)}`
  return gang.ask({ by: somebody(gang, chance), method: 'DELETE', path })
}

/** Reports its own verification as passed. */
const forgeVerification: Move = (gang) =>
  gang.post(`${gang.installation.url}/v1/organizations/webhook/kyb`, {
    text: JSON.stringify({ event: 'verification.approved', org_id: gang.org.orgId, status: 'approved' }),
    headers: { 'content-type': 'application/json', 'x-signature': 'robbery' },
  })

export const controlMoves: readonly WeightedMove[] = [
  [addMember, 2],
  [changeMember, 4],
  [policies, 4],
  [changeRequest, 6],
  [decideAlone, 3],
  [organization, 2],
  [apiKey, 1],
  [invite, 1],
  [removeMember, 1],
  [forgeVerification, 1],
]
