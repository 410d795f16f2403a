import type { Translated } from '../translated.ts'
import type { home as english } from '../en/home.ts'

export const home: Translated<typeof english> = {
  greeting: 'O que espera por si',
  exceptions: 'Exceções abertas',
  exceptionsHint: 'Ocorrências que uma pessoa tem de resolver',
  approvals: 'Pagamentos por aprovar',
  approvalsHint: 'Pagamentos de saída à espera da primeira ou da segunda aprovação',
  disputes: 'Disputas por responder',
  disputesHint: 'Com prazo dentro de uma semana',
  matches: 'Correspondências de sanções',
  matchesHint: 'Há pagamentos à espera de uma decisão',
  deadLetters: 'Envios abandonados',
  deadLettersHint: 'Webhooks abandonados após todas as tentativas',
  notices: 'Avisos não lidos',
  noticesHint: 'Na sua caixa de entrada',
  nothing: 'Nada espera por si.',
  trends: 'Últimos sete dias',
  trendsEmpty: 'Nenhum pagamento nos últimos sete dias.',
  currency: 'Moeda',
  payments: 'Pagamentos',
  volume: 'Volume',
  success: 'Taxa de sucesso',
  perDay: 'Por dia',
  failures: 'Falhas recentes',
  failuresEmpty: 'Nenhum pagamento falhou.',
  allFailures: 'Todos os pagamentos falhados',
}
