import type { Translated } from '../translated.ts'
import type { reconciliation as english } from '../en/reconciliation.ts'
import { pluralsOf } from '../plural.ts'

const plural = pluralsOf('pt')

export const reconciliation: Translated<typeof english> = {
  title: 'Reconciliação',
  provider: 'Prestador',
  status: 'Estado',
  statuses: { completed: 'Reconciliado', failed: 'Falhado' },
  origin: 'Execução',
  origins: { nightly: 'Todas as noites', requested: 'Pedido por' },
  since: 'Desde',
  checked: 'Reconciliados',
  findings: 'Diferenças',
  finished: 'Terminado',
  empty: 'Ainda não há reconciliações',
  emptyText:
    'Todas as noites, os nossos pagamentos são reconciliados com as listas dos prestadores utilizados.',
  run: {
    button: 'Reconciliar agora',
    title: 'Reconciliar agora com um prestador',
    text: 'As diferenças tornam-se exceções. Nada do que foi pago é enviado de novo.',
    since: 'Pagamentos desde',
  },
  result: 'Resultado da reconciliação',
  none: (count: number) =>
    plural(count, {
      one: '# pagamento reconciliado, nenhuma diferença encontrada.',
      many: '# de pagamentos reconciliados, nenhuma diferença encontrada.',
      other: '# pagamentos reconciliados, nenhuma diferença encontrada.',
    }),
  kind: 'Diferença',
  reference: 'Referência',
  summary: 'O que se apurou',
  openExceptions: 'Exceções abertas',
}
