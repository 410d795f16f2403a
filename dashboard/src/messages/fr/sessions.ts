import type { Translated } from '../translated.ts'
import type { sessions as english } from '../en/sessions.ts'

export const sessions: Translated<typeof english> = {
  title: 'Vos sessions',
  text: 'Tous les navigateurs dans lesquels vous êtes connecté. Une session se termine après 30 minutes sans activité, et dans tous les cas après 12 heures.',
  browser: 'Navigateur',
  address: 'Adresse',
  lastSeen: 'Dernière utilisation',
  signedIn: 'Connexion',
  current: 'Ce navigateur',
  end: 'Terminer',
  ended: 'La session est terminée.',
  everywhere: 'Se déconnecter partout',
  unknownBrowser: 'Navigateur inconnu',
}
