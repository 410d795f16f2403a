import type { Translated } from '../translated.ts'
import type { payments as english } from '../en/payments.ts'
import { pluralsOf } from '../plural.ts'

const plural = pluralsOf('sw')

export const payments: Translated<typeof english> = {
  title: 'Malipo',
  search: 'Tafuta',
  searchHint: 'Kitambulisho, kumbukumbu, jina, barua pepe, kiasi',
  country: 'Nchi',
  minAmount: 'Kuanzia kiasi',
  maxAmount: 'Hadi kiasi',
  from: 'Yaliundwa kuanzia',
  to: 'Yaliundwa hadi',
  updatedSince: 'Yalibadilishwa tangu',
  party: 'Mlipaji au mpokeaji',
  status: 'Hali',
  direction: 'Mwelekeo',
  method: 'Njia ya kulipa',
  currency: 'Sarafu',
  reference: 'Kumbukumbu',
  created: 'Tarehe ya kuundwa',
  amount: 'Kiasi',
  provider: 'Mtoa huduma',
  noProvider: 'hayajaelekezwa',
  empty: 'Bado hakuna malipo',
  emptyText: 'Malipo huonekana hapa mara tu mfumo wako au kiungo cha malipo kinapoyaanzisha.',
  newPayments: (count: number) =>
    plural(count, { one: 'Onyesha malipo mapya #', other: 'Onyesha malipo mapya #' }),
}
