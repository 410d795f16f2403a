import { pick } from '../../shared/chance.ts'
import { quote } from '../gang.ts'
import { payeeKind } from '../notebook.ts'
import * as requests from '../requests.ts'
import { amountOf, oneOf, somebody, type Move, type WeightedMove } from './move.ts'

const corridorList = Object.values(requests.corridors)
/** Succeeds, stays pending, fails, is never answered, is answered late or without a webhook, is declined. */
const sentinels = ['00', '00', '00', '13', '14', '16', '18', '22', '23', '24', '11', '12']
const initiatePath = '/v1/payments-init/initiate'

const payin: Move = (gang, chance) => {
  const terms = { amount: amountOf(chance) }
  const body = pick(chance, [
    [requests.momoPayin(oneOf(chance, corridorList), terms, oneOf(chance, sentinels)), 6],
    [requests.cardPayin(terms), 2],
    [requests.bankPayin({ country: 'GB', currency: 'GBP' }, terms), 2],
    [requests.bankPayin({ country: 'NG', currency: 'NGN' }, terms), 2],
    [requests.bankPayin({ country: 'UG', currency: 'UGX' }, terms), 2],
  ])
  return gang.ask({ by: somebody(gang, chance), method: 'POST', path: initiatePath, body })
}

/** Pays to somebody whom it knows; otherwise it creates the payee, for the next time. */
const payout: Move = (gang, chance) => {
  const terms = { amount: amountOf(chance) }
  const corridor = oneOf(chance, corridorList)
  const digits = oneOf(chance, sentinels)
  const [country, kind, payee, pay] = pick<readonly [string, string, object, (id: string) => object]>(
    chance,
    [
      [
        [
          corridor.country,
          digits,
          requests.momoPayee(corridor, digits),
          (beneficiaryId) => requests.momoPayout(corridor, terms, { beneficiaryId, digits }),
        ],
        6,
      ],
      [['NG', 'bank', requests.bankPayee, (id) => requests.bankPayout(terms, id)], 3],
      [['GB', 'bank', requests.ukPayee, (id) => requests.ukPayout(terms, id)], 2],
    ],
  )
  const by = somebody(gang, chance)
  const known = gang.notebook.all(payeeKind(country, kind))
  return known.length === 0
    ? gang.ask({ by, method: 'POST', path: '/v1/beneficiaries', body: payee })
    : gang.ask({ by, method: 'POST', path: initiatePath, body: pay(oneOf(chance, known)) })
}

/** Names another currency than the one that is paid out. */
const exchangedPayout: Move = async (gang, chance) => {
  const corridor = oneOf(chance, corridorList)
  const [source, rates] = [oneOf(chance, ['USD', 'GBP', 'UGX', 'KES']), corridor.currency]
  const rate = source === rates ? undefined : await quote(gang, source, rates)
  const [beneficiaryId] = gang.notebook.all(payeeKind(corridor.country, requests.succeeds))
  if (!rate || beneficiaryId === undefined) return
  const amount = amountOf(chance)
  const units = corridor.currency === 'UGX' ? 1 : 100
  const body = {
    ...requests.momoPayout(corridor, { amount }, { beneficiaryId }),
    currency: source,
    target_amount: Math.round(amount * rate.rate * units) / units,
    org_rate_id: rate.orgRateId,
  }
  await gang.ask({ by: somebody(gang, chance), method: 'POST', path: initiatePath, body })
}

const changeBeneficiary: Move = (gang, chance) =>
  gang.ask({
    by: somebody(gang, chance),
    method: 'PATCH',
    path: `/v1/beneficiaries/${gang.notebook.any('beneficiary_id', chance)}`,
    body: oneOf(chance, [
      { fname: 'Thief' },
      { momo_details: { provider: 'MTN', phone_number: '256772000199' } },
    ]),
  })

/** A decision about one of the gang's payments. */
const decide: Move = (gang, chance) => {
  const path = `/v1/payments/${gang.notebook.any('payment_id', chance)}`
  const [verb, body] = oneOf(chance, [
    ['confirm', { outcome: 'completed' }],
    ['confirm', { outcome: 'failed' }],
    ['review', { decision: 'approve' }],
    ['review', { decision: 'approve' }],
    ['review', { decision: 'reject' }],
    ['refund', { reason: 'robbery' }],
    ['refund', { reason: 'robbery', amount: amountOf(chance) }],
    ['cancel', {}],
  ] as const)
  return gang.ask({ by: somebody(gang, chance), method: 'POST', path: `${path}/${verb}`, body })
}

const otp: Move = (gang, chance) =>
  gang.ask({
    by: somebody(gang, chance),
    method: 'POST',
    path: `/v1/payments-init/${gang.notebook.any('payment_id', chance)}/action`,
    body: oneOf(chance, [{ action: 'submit_otp', otp: '123456' }, { action: 'cancel' }]),
  })

const read: Move = (gang, chance) => {
  const payment = gang.notebook.any('payment_id', chance)
  const path = oneOf(chance, [
    `/v1/payments/${payment}`,
    `/v1/payments/${payment}/timeline`,
    `/v1/payments/${payment}/refunds`,
    '/v1/transactions',
    '/v1/payments/exceptions',
    '/v1/beneficiaries',
    '/v1/virtual-accounts',
    `/v1/organizations/${gang.org.orgId}/balances`,
    `/v1/organizations/${gang.org.orgId}/audit-log`,
  ])
  return gang.ask({ by: somebody(gang, chance), method: 'GET', path })
}

/** Asks about another organisation, whose id may have leaked. */
const pry: Move = (gang, chance) => {
  const { honest } = gang.installation.people
  const path = oneOf(chance, [
    `/v1/organizations/${honest.orgId}`,
    `/v1/organizations/${honest.orgId}/balances`,
    `/v1/organizations/${honest.orgId}/members`,
    `/v1/organizations/${honest.orgId}/approval-policies`,
    `/v1/organizations/${honest.orgId}/change-requests`,
  ])
  return gang.ask({ by: somebody(gang, chance), method: 'GET', path })
}

export const moneyMoves: readonly WeightedMove[] = [
  [payin, 14],
  [payout, 18],
  [exchangedPayout, 4],
  [changeBeneficiary, 2],
  [decide, 14],
  [otp, 1],
  [read, 6],
  [pry, 2],
]
