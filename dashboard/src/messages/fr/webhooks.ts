import type { Translated } from '../translated.ts'
import type {
  deadLetters as englishDeadLetters,
  deliveries as englishDeliveries,
  events as englishEvents,
  webhooks as englishWebhooks,
} from '../en/webhooks.ts'
import { pluralsOf } from '../plural.ts'

const plural = pluralsOf('fr')

export const webhooks: Translated<typeof englishWebhooks> = {
  title: 'Webhooks',
  lists: 'Listes de webhooks',
  endpoints: 'Points de terminaison',
  events: 'Événements',
  deadLetters: 'Envois abandonnés',
  url: 'Adresse',
  description: 'Description',
  subscribed: 'Événements',
  allEvents: 'Tous, y compris les futurs',
  someEvents: (count: number) => plural(count, { one: '# type', many: '# de types', other: '# types' }),
  status: 'Statut',
  statuses: { active: 'Actif', paused: 'En pause', disabled: 'Désactivé' },
  updated: 'Modifié',
  created: 'Créé',
  id: 'Identifiant du point de terminaison',
  empty: 'Aucun point de terminaison pour le moment',
  emptyText:
    'Un point de terminaison est une de vos adresses qui reçoit des événements, par exemple un paiement effectué. Chaque envoi est signé.',
  add: 'Ajouter un point de terminaison',
  addText: 'L’adresse doit être publique et utiliser https, sur le port 443 ou 8443.',
  edit: 'Modifier',
  editTitle: 'Modifier ce point de terminaison',
  save: 'Enregistrer',
  saved: 'Le point de terminaison a été enregistré.',
  chooseHint:
    'Sans choix, le point de terminaison reçoit tous les types, y compris ceux qui seront ajoutés plus tard.',
  secretTitle: 'Secret de signature',
  secretText: 'Votre récepteur vérifie la signature de chaque envoi avec ce secret.',
  secretLabel: 'secret de signature',
  rotate: 'Renouveler le secret',
  rotateTitle: 'Renouveler le secret de signature ?',
  rotateText:
    'Pendant 24 heures, chaque envoi est signé avec les deux secrets dans webhook-signature ; X-Service-Signature utilise le nouveau immédiatement.',
  test: 'Envoyer un événement de test',
  testTitle: 'Envoyer un événement de test',
  testText: 'L’événement est marqué comme test et n’est envoyé qu’à ce point de terminaison.',
  testType: 'Type d’événement',
  tested: 'L’événement de test est en route.',
  pause: 'Mettre en pause',
  paused: 'Le point de terminaison est en pause. Ses envois sont conservés.',
  resume: 'Reprendre',
  resumed: 'Le point de terminaison est actif.',
  disabledText:
    'Ce point de terminaison a été désactivé après cinq jours sans envoi réussi. Reprenez-le lorsque votre récepteur fonctionne de nouveau.',
  recover: 'Rattraper',
  recoverTitle: 'Envoyer les événements manqués',
  recoverText:
    'Envoie au plus 1\u202f000 événements que ce point de terminaison n’a pas reçus depuis le moment indiqué.',
  recoverSince: 'Depuis',
  recovered: (count: number) =>
    plural(count, {
      one: '# événement est en route.',
      many: '# d’événements sont en route.',
      other: '# événements sont en route.',
    }),
  remove: 'Supprimer',
  removeTitle: 'Supprimer ce point de terminaison ?',
  removeText: 'Il disparaît immédiatement, avec ses envois. Les événements restent.',
  removed: 'Le point de terminaison a été supprimé.',
  details: 'Détails',
  latest: 'Derniers envois',
  allDeliveries: 'Tous les envois',
}

export const deliveries: Translated<typeof englishDeliveries> = {
  title: 'Envois',
  one: 'Envoi',
  empty: 'Aucun envoi pour le moment',
  emptyText:
    'Les envois apparaissent ici dès qu’un événement survient. Envoyez un événement de test pour essayer.',
  event: 'Événement',
  eventType: 'Type d’événement',
  status: 'Statut',
  statuses: { pending: 'En attente', succeeded: 'Réussi', dead: 'Abandonné', replayed: 'Rejoué' },
  attempts: 'Tentatives',
  response: 'Dernière réponse',
  noResponse: 'aucune',
  next: 'Prochaine tentative',
  created: 'Créé',
  updated: 'Modifié',
  id: 'Identifiant de l’envoi',
  endpoint: 'Point de terminaison',
  body: 'Corps tel qu’il a été signé et envoyé',
  attempt: (count: number) => `Tentative ${count}`,
  noAttempts: 'Aucune tentative pour le moment',
  noAttemptsText: 'La première tentative suit dans quelques secondes.',
  duration: (ms: number) => `${ms} ms`,
  requestHeaders: 'En-têtes de la requête',
  responseBody: 'Corps de la réponse',
  replay: 'Rejouer',
  replayText: 'Ce point de terminaison reçoit de nouveau l’événement, sous son identifiant d’origine.',
  replayed: 'L’événement est de nouveau en route, sous son identifiant d’origine.',
}

export const events: Translated<typeof englishEvents> = {
  title: 'Événements',
  type: 'Type d’événement',
  resource: 'Ressource',
  sequence: 'Séquence',
  created: 'Survenu',
  id: 'Identifiant de l’événement',
  delivery: 'Envoi',
  empty: 'Aucun événement pour le moment',
  emptyText:
    'Chaque changement annoncé aux intégrations est enregistré ici, même avant qu’un point de terminaison existe.',
  body: 'Corps',
  deliveries: 'Envois',
  noDeliveries: 'Envoyé à aucun point de terminaison',
  noDeliveriesText: 'Aucun point de terminaison n’était abonné à ce type lorsque l’événement est survenu.',
  replay: 'Rejouer vers tous les points de terminaison',
  replayTitle: 'Rejouer cet événement ?',
  replayText:
    'Chaque point de terminaison actif abonné à son type le reçoit de nouveau, sous son identifiant d’origine.',
}

export const deadLetters: Translated<typeof englishDeadLetters> = {
  title: 'Envois abandonnés',
  empty: 'Aucun envoi abandonné',
  emptyText: 'Un envoi qui échoue après toutes les tentatives est conservé ici jusqu’à ce qu’il soit rejoué.',
  endpoint: 'Point de terminaison',
  givenUp: 'Abandonné',
  replay: 'Rejouer',
  replayOf: (type: string) => `Rejouer ${type}`,
  replayAll: 'Tout rejouer',
  replayMatching: 'Rejouer tous les résultats',
  replayTitle: 'Rejouer les envois abandonnés ?',
  replayText:
    'Chaque envoi abandonné correspondant à ces filtres est renvoyé. Les récepteurs reconnaissent les répétitions à l’identifiant de l’événement.',
  replayed: (count: number) =>
    plural(count, {
      one: '# envoi abandonné est en route.',
      many: '# d’envois abandonnés sont en route.',
      other: '# envois abandonnés sont en route.',
    }),
}
