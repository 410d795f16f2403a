import type { Translated } from '../translated.ts'
import type { analytics as english } from '../en/analytics.ts'

export const analytics: Translated<typeof english> = {
  title: 'Analyses',
  period: 'Période',
  periods: { '7': '7 derniers jours', '90': '90 derniers jours', '365': '365 derniers jours' },
  standard: '30 derniers jours',
  measure: 'Mesure',
  measures: { success: 'Taux de réussite', volume: 'Volume' },
  count: 'Paiements',
  currency: 'Devise',
  payments: 'Paiements',
  volume: 'Volume',
  completed: 'Effectués',
  failed: 'Échoués',
  success: 'Taux de réussite',
  day: 'Jour',
  perDay: (currency: string) => `${currency} par jour`,
  table: 'Sous forme de tableau',
  chart: (currency: string, first: string, last: string) =>
    `Paiements en ${currency} par jour, du ${first} au ${last} ; le tableau ci-dessous donne les chiffres.`,
  completedBars: 'effectués',
  otherBars: 'non effectués',
  empty: 'Aucun paiement sur cette période',
  emptyText: 'Choisissez une période plus longue.',
  geography: 'Pays des payeurs et des destinataires',
  country: 'Pays',
  users: 'Utilisateurs',
  noCountries: 'Aucun pays pour le moment',
}
