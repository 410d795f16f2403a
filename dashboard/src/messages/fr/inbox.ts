import type { Translated } from '../translated.ts'
import type { inbox as english } from '../en/inbox.ts'

export const inbox: Translated<typeof english> = {
  title: 'Boîte de réception',
  which: 'Afficher',
  all: 'Tous',
  unread: 'Non lus',
  notice: 'Avis',
  priority: 'Priorité',
  priorities: { low: 'Basse', medium: 'Normale', high: 'Haute', urgent: 'Urgente' },
  at: 'Reçu',
  state: 'État',
  isNew: 'Nouveau',
  isRead: 'Lu',
  actions: 'Actions',
  markRead: 'Marquer comme lu',
  markReadOf: (title: string) => `Marquer comme lu : ${title}`,
  markAll: 'Marquer ces avis comme lus',
  empty: 'Rien pour le moment',
  emptyText:
    'Les avis sur les versements à approuver, les litiges et les modifications apparaissent ici et dans vos e-mails.',
}
