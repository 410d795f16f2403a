import type { Translated } from '../translated.ts'
import type { refunds as english } from '../en/refunds.ts'

export const refunds: Translated<typeof english> = {
  title: 'Reembolsos',
  amount: 'Valor',
  debit: 'Do seu saldo',
  status: 'Estado',
  statuses: { processing: 'Em processamento', completed: 'Concluído', failed: 'Falhado' },
  origin: 'Origem',
  origins: { api: 'Aqui', provider: 'No prestador' },
  reason: 'Motivo',
  provider: 'Prestador',
  currency: 'Moeda',
  created: 'Criado',
  empty: 'Ainda não há reembolsos',
  emptyText: 'Os reembolsos de todos os pagamentos aparecem aqui, também os que foram feitos num prestador.',
}
