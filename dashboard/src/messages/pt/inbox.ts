import type { Translated } from '../translated.ts'
import type { inbox as english } from '../en/inbox.ts'

export const inbox: Translated<typeof english> = {
  title: 'Caixa de entrada',
  which: 'Mostrar',
  all: 'Todos',
  unread: 'Não lidos',
  notice: 'Aviso',
  priority: 'Prioridade',
  priorities: { low: 'Baixa', medium: 'Normal', high: 'Alta', urgent: 'Urgente' },
  at: 'Recebido',
  state: 'Estado',
  isNew: 'Novo',
  isRead: 'Lido',
  actions: 'Ações',
  markRead: 'Marcar como lido',
  markReadOf: (title: string) => `Marcar como lido: ${title}`,
  markAll: 'Marcar estes como lidos',
  empty: 'Ainda não há nada aqui',
  emptyText:
    'Os avisos sobre pagamentos de saída por aprovar, disputas e alterações aparecem aqui e no seu e-mail.',
}
