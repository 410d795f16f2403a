import type { Translated } from '../translated.ts'
import type { requestLog as english } from '../en/request-log.ts'

export const requestLog: Translated<typeof english> = {
  title: 'Journal des requêtes',
  text: 'Les requêtes des sept derniers jours. Les corps et les valeurs dans les adresses ne sont pas enregistrés.',
  request: 'Requête',
  method: 'Méthode',
  route: 'Chemin',
  status: 'Statut',
  statusClass: 'Résultat',
  statusClasses: {
    '2xx': '2xx Succès',
    '3xx': '3xx Redirection',
    '4xx': '4xx Refus',
    '5xx': '5xx Échec',
  },
  requestId: 'Identifiant de requête',
  caller: 'Appelant',
  key: 'Clé API',
  duration: 'Durée',
  milliseconds: (ms: string) => `${ms} ms`,
  at: 'Heure',
  empty: 'Aucune requête pour le moment',
  emptyText: 'Les requêtes de votre intégration et des personnes de votre organisation apparaissent ici.',
  credentials: {
    api_key: 'clé API',
    jwt: 'jeton d’accès',
    session: 'tableau de bord',
    payment_link: 'lien de paiement',
  },
}
