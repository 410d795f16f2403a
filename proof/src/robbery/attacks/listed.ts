import { createPayee, fieldOf, paymentOf, quote, type Gang } from '../gang.ts'
import { inTwoFields, spellings } from '../listed-person.ts'
import * as requests from '../requests.ts'
import type { Heard } from '../thief.ts'
import { untilQuiet } from '../until-quiet.ts'
import { initiate, payIn, type Attack } from './attack.ts'

const { KE } = requests.corridors
const listed = 'Zorvane Qudlawi'
const fromBalance = 60_000

/** Asks for a payment with the listed person in it, and remembers which one it is. */
export async function initiateListed(gang: Gang, body: object, path?: string): Promise<Heard> {
  const heard = await (path === undefined ? initiate(gang, body) : gang.ask({ method: 'POST', path, body }))
  const paymentId = paymentOf(heard)
  if (paymentId !== undefined) gang.installation.witness.listed.add(paymentId)
  return heard
}

const listedPayee = (name: string): object => ({ ...requests.momoPayee(KE), ...inTwoFields(name) })
const payoutTo = (beneficiaryId: string): object =>
  requests.momoPayout(KE, { amount: 100 }, { beneficiaryId })
const create = (gang: Gang, body: object): Promise<Heard> =>
  gang.ask({ method: 'POST', path: '/v1/beneficiaries', body })
const rename = (gang: Gang, beneficiaryId: string, names: object): Promise<Heard> =>
  gang.ask({ method: 'PATCH', path: `/v1/beneficiaries/${beneficiaryId}`, body: names })

/** Pays to the listed person under each spelling; who is refused as a payee is not paid. */
async function payEach(gang: Gang, pay: (name: string) => Promise<unknown>): Promise<Heard> {
  for (const name of spellings) await pay(name)
  return passed(gang)
}

/** The engine has had time to send whatever was not held. */
async function passed({ installation }: Gang): Promise<Heard> {
  await untilQuiet(installation)
  const { rowCount } = await installation.owner.query(
    `select from attempts where payment_id = any($1)
     union all select from ramp_legs where payment_id = any($1)`,
    [[...installation.witness.listed]],
  )
  const asked = installation.witness.listed.size
  return { status: 0, text: `${rowCount ?? 0} of ${asked} payments went on`, body: undefined }
}

const noneWentOn = /^0 0 of [1-9]\d* payments went on/

const paidOut: Attack = {
  name: 'payouts to a listed person under forty spellings',
  caughtBy: 'paid to a listed name',
  hears: noneWentOn,
  async run({ trader }) {
    await payIn(trader, KE, fromBalance)
    return payEach(trader, async (name) => {
      const id = fieldOf(await create(trader, listedPayee(name)), 'beneficiary_id')
      if (id !== undefined) await initiateListed(trader, payoutTo(id))
    })
  },
}

const paysIn: Attack = {
  name: 'payins of a listed person under forty spellings',
  caughtBy: 'paid to a listed name',
  hears: noneWentOn,
  run: ({ trader }) =>
    payEach(trader, (name) =>
      initiateListed(trader, {
        ...requests.momoPayin(KE, { amount: 100 }),
        payer_details: { name, email: 'payer@robbery.test', phone: '256772000130' },
      }),
    ),
}

const cardHolder: Attack = {
  name: 'payins by a card of a listed person under forty spellings',
  caughtBy: 'paid to a listed name',
  hears: noneWentOn,
  run: ({ trader }) =>
    payEach(trader, (name) => initiateListed(trader, requests.cardPayin({ amount: 20 }, { holder: name }))),
}

const renamed: Attack = {
  name: 'payouts to a payee who is renamed to a listed person, or from one',
  caughtBy: 'paid to a listed name',
  hears: noneWentOn,
  async run({ trader }) {
    const becomes = await createPayee(trader, requests.momoPayee(KE))
    await rename(trader, becomes, inTwoFields(listed))
    await initiateListed(trader, payoutTo(becomes))
    const was = await createPayee(trader, listedPayee(listed))
    await rename(trader, was, { fname: 'Grace', lname: 'Akello' })
    await initiateListed(trader, payoutTo(was))
    return passed(trader)
  },
}

const ramps: Attack = {
  name: 'tokens sold for a listed person under forty spellings',
  caughtBy: 'paid to a listed name',
  hears: noneWentOn,
  async run({ trader }) {
    const rate = await quote(trader, 'USDC', 'UGX')
    return payEach(trader, async (name) => {
      const payee = { ...requests.momoPayee(requests.corridors.UG), ...inTwoFields(name) }
      const id = fieldOf(await create(trader, payee), 'beneficiary_id')
      const fiat = { amount: 40_000, rate: rate?.rate ?? 0 }
      if (id !== undefined)
        await initiateListed(
          trader,
          requests.offRamp(requests.corridors.UG, fiat, id),
          '/v1/payments-init/ramp',
        )
    })
  },
}

const inBatch: Attack = {
  name: 'a batch with a row for a listed person',
  caughtBy: 'paid to a listed name',
  hears: noneWentOn,
  async run({ trader }) {
    const id = await createPayee(trader, listedPayee(listed))
    const rows = [{ client_reference: 'loot', beneficiary_id: id, amount: 100, currency: KE.currency }]
    const batchId = fieldOf(
      await trader.ask({ method: 'POST', path: '/v1/payouts/batches', body: { rows } }),
      'batch_id',
    )
    const { rows: sent } = await trader.installation.owner.query<{ id: string }>(
      'select payment_id as id from payout_batch_rows where batch_id = $1',
      [batchId ?? null],
    )
    for (const payment of sent) trader.installation.witness.listed.add(payment.id)
    return passed(trader)
  },
}

/** A screened person tries every way in which money moves for them. */
export const listedAttacks: readonly Attack[] = [paidOut, paysIn, cardHolder, renamed, ramps, inBatch]
