import type { Translated } from '../translated.ts'
import type { analytics as english } from '../en/analytics.ts'

export const analytics: Translated<typeof english> = {
  title: 'Análises',
  period: 'Período',
  periods: { '7': 'Últimos 7 dias', '90': 'Últimos 90 dias', '365': 'Últimos 365 dias' },
  standard: 'Últimos 30 dias',
  measure: 'Medida',
  measures: { success: 'Taxa de sucesso', volume: 'Volume' },
  count: 'Pagamentos',
  currency: 'Moeda',
  payments: 'Pagamentos',
  volume: 'Volume',
  completed: 'Concluídos',
  failed: 'Falhados',
  success: 'Taxa de sucesso',
  day: 'Dia',
  perDay: (currency: string) => `${currency} por dia`,
  table: 'Em tabela',
  chart: (currency: string, first: string, last: string) =>
    `Pagamentos em ${currency} por dia, de ${first} a ${last}; a tabela abaixo tem os números.`,
  completedBars: 'concluídos',
  otherBars: 'não concluídos',
  empty: 'Nenhum pagamento neste período',
  emptyText: 'Escolha um período mais longo.',
  geography: 'Países dos pagadores e dos destinatários',
  country: 'País',
  users: 'Utilizadores',
  noCountries: 'Ainda não há países',
}
