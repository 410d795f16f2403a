/** What an organisation of the examples is paid for, and how often. */
export interface Corridor {
  country: string
  currency: string
  method: 'card' | 'mobile_money' | 'bank_transfer'
  direction: 'inbound' | 'outbound'
  /** Its part of the payments. */
  weight: number
  /** The median, in whole units of the currency. */
  typical: number
  /** The first word of the references. */
  about: string
}

/** By the country of the organisation. Payouts cost less than comes in, so that balances stay covered. */
export const corridors: Readonly<Record<string, readonly Corridor[]>> = {
  NG: [
    corridor('NG', 'NGN', { method: 'card', weight: 28, typical: 18_000, about: 'Loan fee' }),
    corridor('NG', 'NGN', { method: 'bank_transfer', weight: 8, typical: 42_000, about: 'Repayment' }),
    corridor('UG', 'UGX', { method: 'mobile_money', weight: 22, typical: 45_000, about: 'Instalment' }),
    corridor('KE', 'KES', { method: 'mobile_money', weight: 20, typical: 2_400, about: 'Instalment' }),
    corridor('GH', 'GHS', { method: 'mobile_money', weight: 10, typical: 180, about: 'Instalment' }),
    {
      ...corridor('NG', 'NGN', { method: 'bank_transfer', weight: 12, typical: 15_000, about: 'Loan' }),
      direction: 'outbound',
    },
  ],
  GB: [
    corridor('GB', 'GBP', { method: 'card', weight: 72, typical: 42, about: 'Order' }),
    corridor('GB', 'GBP', { method: 'bank_transfer', weight: 28, typical: 310, about: 'Invoice' }),
  ],
}

function corridor(
  country: string,
  currency: string,
  rest: Pick<Corridor, 'method' | 'weight' | 'typical' | 'about'>,
): Corridor {
  return { country, currency, direction: 'inbound', ...rest }
}

export const payers = [
  'Grace Nakato',
  'Ann Bello',
  'Tunde Adeyemi',
  'Ngozi Okafor',
  'Kwame Mensah',
  'Wanjiru Kamau',
  'Amina Yusuf',
  'Oliver Hartley',
  'Priya Shah',
  'Chidi Eze',
  'Esther Achieng',
  'Hannah Whitfield',
] as const

/** What providers answer when they decline, and how often of a hundred. */
export const declines = [
  { code: 'insufficient_funds', message: 'The payer has too little money.', weight: 46 },
  { code: 'do_not_honor', message: 'The payer’s bank declined without a reason.', weight: 24 },
  { code: 'expired_card', message: 'The card has expired.', weight: 12 },
  { code: 'limit_exceeded', message: 'The payment exceeds a limit of the payer’s account.', weight: 18 },
] as const

/** A day on which one provider declined most payments, in days before now. */
export const badDay = { provider: 'paystack', daysAgo: 3, successRate: 0.22 } as const
