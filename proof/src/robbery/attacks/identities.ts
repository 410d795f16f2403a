import { createPayee, fieldOf, paymentOf, type Gang } from '../gang.ts'
import { addPuppet } from '../moves/control.ts'
import type { Person } from '../people.ts'
import { guardedPolicies } from '../rules.ts'
import * as requests from '../requests.ts'
import type { Ask, Heard } from '../thief.ts'
import { initiate, payIn, stopped, untilEnded, type Attack } from './attack.ts'

const { KE } = requests.corridors
const related = /^403 .*so you do not count as a second person here/
/** More than the policy lets one person send, and less than was paid in. */
const loot = { amount: 20_000 }
const manualTransfer = requests.bankPayin({ country: 'UG', currency: 'UGX' }, { amount: 5_000_000 })

/** The colleagues whom the first administrator adds before there is a policy. */
type Colleagues = { viewer: Person; one: Person; other: Person }

/** Adds them, gives the viewer a permission, and only then does the organisation ask for second persons. */
export async function foundOrganization(gang: Gang): Promise<void> {
  await ask(gang, 'PUT', '/v1/payments/provider-credentials/manual', {
    credentials: {
      instructions: { account_name: 'Founder', account_number: '0123456789', bank_name: 'Founder Bank' },
    },
  })
  const config = { provider: 'manual', country: 'UG', direction: 'inbound', payment_method: 'bank_transfer' }
  await ask(gang, 'POST', '/v1/payments/provider-configs', { ...config, priority: 0 })
  const viewer = await colleague(gang, 'viewer')
  for (let count = 0; count < 2; count += 1) await colleague(gang, 'org-admin')
  const members = `/v1/organizations/${gang.org.orgId}/members`
  await ask(gang, 'POST', `${members}/${viewer.userId}/permissions`, { permissions: ['payments:write'] })
  await ask(gang, 'PUT', `/v1/organizations/${gang.org.orgId}/approval-policies`, {
    policies: guardedPolicies,
  })
}

async function ask(gang: Gang, method: Ask['method'], path: string, body: object): Promise<void> {
  const { status, text } = await gang.ask({ method, path, body })
  if (status >= 300 || status === 202) throw new Error(`${method} ${path}: ${status} ${text}`)
}

async function colleague(gang: Gang, role: string): Promise<Person> {
  const person = await addPuppet(gang, { role })
  if (!person) throw new Error('the founder could not add a colleague before there was a policy')
  return person
}

function colleaguesOf({ persons }: Gang): Colleagues {
  const [viewer, one, other] = persons.filter(({ name }) => name === 'puppet')
  if (!viewer || !one || !other) throw new Error('the founder has no colleagues')
  return { viewer, one, other }
}

const decide = (gang: Gang, by: Person, path: string, body: object = {}): Promise<Heard> =>
  gang.ask({ by, method: 'POST', path, body })

/** Each of them says yes in turn; the last refusal is decisive, or the last answer. */
async function approveAll(
  people: readonly Person[],
  approve: (by: Person) => Promise<Heard>,
): Promise<Heard> {
  const answers: Heard[] = []
  for (const by of people) answers.push(await approve(by))
  return answers.find(({ status }) => status < 300) ?? answers.at(-1) ?? stopped('nobody approved')
}

async function proposedPayout(gang: Gang, by: Person): Promise<string | undefined> {
  const payee = { beneficiaryId: await createPayee(gang, requests.momoPayee(KE)) }
  const body = requests.momoPayout(KE, loot, payee)
  return paymentOf(await gang.ask({ by, method: 'POST', path: '/v1/payments-init/initiate', body }))
}

const secondLogin: Attack = {
  name: 'a payout by a colleague of its own making, which it approves itself',
  caughtBy: 'empowered decided',
  hears: related,
  async run({ founded }) {
    await payIn(founded, KE, 60_000)
    const { viewer, one } = colleaguesOf(founded)
    const paymentId = await proposedPayout(founded, viewer)
    if (paymentId === undefined) return stopped('no payout was proposed')
    const heard = await approveAll([founded.org.admin, one], (by) =>
      decide(founded, by, `/v1/payments/${paymentId}/review`, { decision: 'approve' }),
    )
    if (heard.status < 300) await untilEnded(founded, paymentId)
    return heard
  },
}

const twoLogins: Attack = {
  name: 'a payout by one of its colleagues, which another one approves',
  caughtBy: 'empowered decided',
  hears: related,
  async run({ founded }) {
    const { viewer, one, other } = colleaguesOf(founded)
    const paymentId = await proposedPayout(founded, viewer)
    if (paymentId === undefined) return stopped('no payout was proposed')
    return approveAll([one, other], (by) =>
      decide(founded, by, `/v1/payments/${paymentId}/review`, { decision: 'approve' }),
    )
  },
}

const races = 5

const inBatch: Attack = {
  name: 'a batch of a colleague, which two logins of its own approve at the same moment',
  caughtBy: 'empowered decided',
  hears: /^(403 .*so you do not count as a second person here|409 )/,
  async run({ founded }) {
    const { one, other } = colleaguesOf(founded)
    const { staff } = founded.org
    const beneficiary_id = await createPayee(founded, requests.momoPayee(KE))
    const rows = [{ client_reference: 'loot', beneficiary_id, amount: loot.amount, currency: KE.currency }]
    let last: Heard = stopped('no batch was created')
    for (let race = 0; race < races; race += 1) {
      const body = { rows, allow_duplicate: true }
      const batchId = fieldOf(await decide(founded, staff, '/v1/payouts/batches', body), 'batch_id')
      const path = `/v1/payouts/batches/${batchId}/approve`
      const answers = await Promise.all([one, other].map((by) => decide(founded, by, path)))
      const refused = answers.find(({ status }) => status >= 300)
      if (!refused) return answers.at(-1) ?? last
      last = refused
    }
    return last
  },
}

const loosened: Attack = {
  name: 'looser policies that a colleague of its own making asks for, and it approves',
  caughtBy: 'empowered decided',
  hears: related,
  async run({ founded }) {
    const { one, other } = colleaguesOf(founded)
    const organization = `/v1/organizations/${founded.org.orgId}`
    const path = `${organization}/approval-policies`
    const held = await founded.ask({ by: one, method: 'PUT', path, body: { policies: [] } })
    const request = `${organization}/change-requests/${fieldOf(held, 'request_id')}`
    return approveAll([founded.org.admin, other], (by) => decide(founded, by, `${request}/approve`))
  },
}

const confirmedMember: Attack = {
  name: 'a colleague of its own making, confirmed by itself and by another one',
  caughtBy: 'empowered decided',
  hears: related,
  run({ founded }) {
    const { viewer, one } = colleaguesOf(founded)
    const path = `/v1/organizations/${founded.org.orgId}/members/${viewer.userId}/confirm`
    return approveAll([founded.org.admin, one], (by) => decide(founded, by, path))
  },
}

const confirmedPayment: Attack = {
  name: 'a manual payin of its own account, confirmed by a colleague of its own making',
  caughtBy: 'empowered decided',
  hears: related,
  async run({ founded }) {
    const { one } = colleaguesOf(founded)
    const paymentId = paymentOf(await initiate(founded, manualTransfer))
    if (paymentId === undefined) return stopped('no payin was started')
    return decide(founded, one, `/v1/payments/${paymentId}/confirm`, { outcome: 'completed' })
  },
}

/** An insider whose second persons are logins of their own. */
export const identityAttacks: readonly Attack[] = [
  secondLogin,
  twoLogins,
  inBatch,
  loosened,
  confirmedMember,
  confirmedPayment,
]
