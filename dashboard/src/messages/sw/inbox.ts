import type { Translated } from '../translated.ts'
import type { inbox as english } from '../en/inbox.ts'

export const inbox: Translated<typeof english> = {
  title: 'Kikasha',
  which: 'Onyesha',
  all: 'Zote',
  unread: 'Hazijasomwa',
  notice: 'Arifa',
  priority: 'Kipaumbele',
  priorities: { low: 'Cha chini', medium: 'Cha kawaida', high: 'Cha juu', urgent: 'Cha dharura' },
  at: 'Ilipokelewa',
  state: 'Hali',
  isNew: 'Mpya',
  isRead: 'Imesomwa',
  actions: 'Vitendo',
  markRead: 'Weka alama ya kusomwa',
  markReadOf: (title: string) => `Weka alama ya kusomwa: ${title}`,
  markAll: 'Weka hizi alama ya kusomwa',
  empty: 'Bado hakuna kitu hapa',
  emptyText:
    'Arifa kuhusu malipo ya kuidhinisha, migogoro na mabadiliko huonekana hapa na kwenye barua pepe yako.',
}
