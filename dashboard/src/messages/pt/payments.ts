import type { Translated } from '../translated.ts'
import type { payments as english } from '../en/payments.ts'
import { pluralsOf } from '../plural.ts'

const plural = pluralsOf('pt')

export const payments: Translated<typeof english> = {
  title: 'Pagamentos',
  search: 'Pesquisar',
  searchHint: 'Identificador, referência, nome, e-mail, valor',
  country: 'País',
  minAmount: 'Valor mínimo',
  maxAmount: 'Valor máximo',
  from: 'Criado de',
  to: 'Criado até',
  updatedSince: 'Alterado desde',
  party: 'Pagador ou destinatário',
  status: 'Estado',
  direction: 'Sentido',
  method: 'Método',
  currency: 'Moeda',
  reference: 'Referência',
  created: 'Criado',
  amount: 'Valor',
  provider: 'Prestador',
  noProvider: 'não encaminhado',
  empty: 'Ainda não há pagamentos',
  emptyText: 'Os pagamentos aparecem aqui assim que a sua integração ou um link de pagamento iniciar um.',
  newPayments: (count: number) =>
    plural(count, {
      one: 'Mostrar # novo pagamento',
      many: 'Mostrar # de novos pagamentos',
      other: 'Mostrar # novos pagamentos',
    }),
}
