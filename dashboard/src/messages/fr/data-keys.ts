import type { Translated } from '../translated.ts'
import type { dataKeys as english } from '../en/data-keys.ts'

export const dataKeys: Translated<typeof english> = {
  title: 'Clé des données',
  text: 'Les noms, les numéros et les autres données personnelles de votre organisation sont chiffrés avec une clé qui lui est propre. Après un renouvellement, les nouvelles données utilisent immédiatement la nouvelle clé et les anciennes sont chiffrées de nouveau en arrière-plan. Rien d’autre ne change.',
  rotate: 'Renouveler la clé',
  confirmTitle: 'Renouveler la clé des données ?',
  confirmText: 'L’API continue de fonctionner et aucune réponse ne change. Le journal d’audit l’enregistre.',
  submit: 'Renouveler',
  done: 'Les nouvelles données sont chiffrées avec une nouvelle clé.',
  current: 'Nouvelle clé',
}
