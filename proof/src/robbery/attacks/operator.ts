import { randomUUID } from 'node:crypto'
import { fieldOf, type Gang } from '../gang.ts'
import type { Heard } from '../thief.ts'
import { stopped, type Attack, type Gangs } from './attack.ts'

const waits = /^403 .*You asked for this change, so somebody else has to decide about it/
const adjustment = {
  debit: 'opening',
  credit: 'available',
  currency: 'KES',
  amount: 50_000,
  reason: 'The statement of the provider says so, line 1.',
}

export const person = () => {
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

const alreadyApproved = /^403 .*You have approved this change already/

/** The first approval of two is accepted, and another one by the same operator is not. */
async function approveTwice(gang: Gang, held: Heard): Promise<Heard> {
  const first = await approve(gang, held)
  return first.status === 200 && fieldOf(first, 'status') === 'pending' ? approve(gang, held) : first
}

/** A change that the clerk asks for and, where it waits, approves. */
const alone = (name: string, change: (gangs: Gangs) => Parameters<Gang['ask']>[0]): Attack => ({
  name,
  caughtBy: 'operator alone',
  hears: waits,
  async run(gangs) {
    const held = await gangs.clerk.ask(change(gangs))
    return held.status === 202 ? approve(gangs.clerk, held) : held
  },
})

const secondOperator = alone('a second operator of the clerk’s own making', ({ clerk }) => ({
  method: 'POST',
  path: `/v1/organizations/${clerk.org.orgId}/members`,
  body: { ...person(), role: 'platform-admin' },
}))

const creditLimit = alone('a credit limit that one operator raises for a friend', ({ trader }) => ({
  method: 'PUT',
  path: `/v1/organizations/${trader.org.orgId}/credit-limits`,
  body: { limits: [{ currency: 'KES', amount: 900_000 }] },
}))

const waivedVerification = alone('a verification that one operator waives', ({ unverified }) => ({
  method: 'PATCH',
  path: `/v1/organizations/${unverified.org.orgId}`,
  body: { payouts_require_kyb: false },
}))

const adjusted = alone(
  'an adjustment of pooled money that one operator asks for and approves',
  ({ trader }) => ({
    method: 'POST',
    path: '/v1/ledger/adjustments',
    body: { ...adjustment, org_id: trader.org.orgId },
  }),
)

const ownOrganization: Attack = {
  name: 'an organisation that the clerk opens, whose administrator asks for pooled money',
  caughtBy: 'operator alone',
  hears: alreadyApproved,
  async run({ clerk }) {
    const admin = person()
    const body = { name: 'Friend and Sons', country: 'KE', admin }
    const opened = await clerk.ask({ method: 'POST', path: '/v1/organizations', body })
    const orgId = fieldOf(opened, 'org_id')
    if (orgId === undefined) return stopped('nothing was opened')
    const friend = await clerk.installation.signIn(admin.user_id, orgId)
    const held = await clerk.ask({
      by: friend,
      method: 'POST',
      path: '/v1/ledger/adjustments',
      body: adjustment,
    })
    return held.status === 202 ? approveTwice(clerk, held) : held
  },
}

const friendAtCustomer: Attack = {
  name: 'pooled money that a friend at a customer asks for and one operator approves',
  caughtBy: 'operator alone',
  hears: alreadyApproved,
  async run({ clerk, trader }) {
    const held = await trader.ask({ method: 'POST', path: '/v1/ledger/adjustments', body: adjustment })
    return held.status === 202 ? approveTwice(clerk, held) : held
  },
}

/** An employee of the operator beside others who never act. */
export const operatorAttacks: readonly Attack[] = [
  secondOperator,
  creditLimit,
  waivedVerification,
  adjusted,
  ownOrganization,
  friendAtCustomer,
]
