import { randomUUID } from 'node:crypto'
import { fieldOf, type Gang } from '../gang.ts'
import type { Heard } from '../thief.ts'
import { stopped, type Attack } from './attack.ts'

const waits = /^403 .*You asked for this change, so somebody else has to decide about it/
const fortune = { limits: [{ currency: 'KES', amount: 900_000 }] }
const adjustment = {
  debit: 'opening',
  credit: 'available',
  currency: 'KES',
  amount: 50_000,
  reason: 'The statement of the provider says so, line 1.',
}

export const person = (): Record<string, string> => {
  const userId = randomUUID()
  const email = `${userId}@robbery.test`
  return { user_id: userId, email, first_name: 'Friend', last_name: 'Member', country: 'GB' }
}

const approve = (gang: Gang, held: Heard): Promise<Heard> =>
  gang.ask({
    method: 'POST',
    path: `/v1/organizations/${fieldOf(held, 'org_id')}/change-requests/${fieldOf(held, 'request_id')}/approve`,
    body: {},
  })

/** Where the change waits, the clerk approves it as well. */
const aloneAt =
  (change: (clerk: Gang) => Promise<Heard>): ((clerk: Gang) => Promise<Heard>) =>
  async (clerk) => {
    const held = await change(clerk)
    return held.status === 202 ? approve(clerk, held) : held
  }

const secondOperator: Attack = {
  name: 'a second operator of the clerk’s own making',
  caughtBy: 'operator alone',
  hears: waits,
  run: ({ clerk }) =>
    aloneAt(() =>
      clerk.ask({
        method: 'POST',
        path: `/v1/organizations/${clerk.org.orgId}/members`,
        body: { ...person(), role: 'platform-admin' },
      }),
    )(clerk),
}

const creditLimit: Attack = {
  name: 'a credit limit that one operator raises for a friend',
  caughtBy: 'operator alone',
  hears: waits,
  run: ({ clerk, trader }) =>
    aloneAt(() =>
      clerk.ask({
        method: 'PUT',
        path: `/v1/organizations/${trader.org.orgId}/credit-limits`,
        body: fortune,
      }),
    )(clerk),
}

const waivedVerification: Attack = {
  name: 'a verification that one operator waives',
  caughtBy: 'operator alone',
  hears: waits,
  run: ({ clerk, unverified }) =>
    aloneAt(() =>
      clerk.ask({
        method: 'PATCH',
        path: `/v1/organizations/${unverified.org.orgId}`,
        body: { payouts_require_kyb: false },
      }),
    )(clerk),
}

const adjusted: Attack = {
  name: 'an adjustment of pooled money that one operator asks for and approves',
  caughtBy: 'operator alone',
  hears: waits,
  run: ({ clerk, trader }) =>
    aloneAt(() =>
      clerk.ask({
        method: 'POST',
        path: '/v1/ledger/adjustments',
        body: { ...adjustment, org_id: trader.org.orgId },
      }),
    )(clerk),
}

const ownOrganization: Attack = {
  name: 'an organisation that the clerk opens, whose administrator asks for pooled money',
  caughtBy: 'operator alone',
  hears: /^403 .*so you do not count as a second person here/,
  async run({ clerk }) {
    const admin = person()
    const body = { name: 'Friend and Sons', country: 'KE', admin }
    const opened = await clerk.ask({ method: 'POST', path: '/v1/organizations', body })
    const orgId = fieldOf(opened, 'org_id')
    if (orgId === undefined || admin['user_id'] === undefined) return stopped('nothing was opened')
    const friend = await clerk.installation.signIn(admin['user_id'], orgId)
    const held = await clerk.ask({
      by: friend,
      method: 'POST',
      path: '/v1/ledger/adjustments',
      body: adjustment,
    })
    return held.status === 202 ? approve(clerk, held) : held
  },
}

/** An employee of the operator beside others who never act. */
export const operatorAttacks: readonly Attack[] = [
  secondOperator,
  creditLimit,
  waivedVerification,
  adjusted,
  ownOrganization,
]
