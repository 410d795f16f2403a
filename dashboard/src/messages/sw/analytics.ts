import type { Translated } from '../translated.ts'
import type { analytics as english } from '../en/analytics.ts'

export const analytics: Translated<typeof english> = {
  title: 'Uchanganuzi',
  period: 'Kipindi',
  periods: { '7': 'Siku 7 zilizopita', '90': 'Siku 90 zilizopita', '365': 'Siku 365 zilizopita' },
  standard: 'Siku 30 zilizopita',
  measure: 'Kipimo',
  measures: { success: 'Kiwango cha mafanikio', volume: 'Jumla ya kiasi' },
  count: 'Malipo',
  currency: 'Sarafu',
  payments: 'Malipo',
  volume: 'Jumla ya kiasi',
  completed: 'Yamekamilika',
  failed: 'Yameshindikana',
  success: 'Kiwango cha mafanikio',
  day: 'Siku',
  perDay: (currency: string) => `${currency} kwa siku`,
  table: 'Kama jedwali',
  chart: (currency: string, first: string, last: string) =>
    `Malipo kwa ${currency} kwa kila siku kuanzia ${first} hadi ${last}; jedwali lililo hapa chini lina namba.`,
  completedBars: 'yamekamilika',
  otherBars: 'hayajakamilika',
  empty: 'Hakuna malipo katika kipindi hiki',
  emptyText: 'Chagua kipindi kirefu zaidi.',
  geography: 'Nchi za walipaji na wapokeaji',
  country: 'Nchi',
  users: 'Watumiaji',
  noCountries: 'Bado hakuna nchi',
}
