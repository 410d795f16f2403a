import type { Translated } from '../translated.ts'
import type {
  auditLog as englishAuditLog,
  invitations as englishInvitations,
  member as englishMember,
  members as englishMembers,
  roles as englishRoles,
} from '../en/organization.ts'
import { pluralsOf } from '../plural.ts'

const plural = pluralsOf('fr')

export const roles: Translated<typeof englishRoles> = {
  'platform-admin': 'Exploitant',
  'org-admin': 'Administrateur',
  staff: 'Collaborateur',
  viewer: 'Lecteur',
}

export const members: Translated<typeof englishMembers> = {
  title: 'Membres',
  lists: 'Membres et invitations',
  invitations: 'Invitations',
  name: 'Nom',
  email: 'E-mail',
  role: 'Rôle',
  adjustments: 'Permissions ajustées',
  none: 'aucune',
  since: 'Membre depuis',
  empty: 'Aucun membre pour le moment',
  emptyText: 'Invitez les personnes qui travaillent avec les paiements.',
  you: 'vous',
  granted: (count: number) => plural(count, { one: '# accordée', many: '# accordées', other: '# accordées' }),
  revoked: (count: number) => plural(count, { one: '# retirée', many: '# retirées', other: '# retirées' }),
  held: 'La modification attend une seconde personne.',
  user: 'Identifiant de l’utilisateur',
}

export const member: Translated<typeof englishMember> = {
  title: 'Membre',
  details: 'Détails',
  country: 'Pays',
  changeRole: 'Changer de rôle',
  changeRoleTitle: 'Changer le rôle',
  changeRoleText: 'Les permissions accordées et retirées restent telles quelles.',
  save: 'Enregistrer',
  roleChanged: 'Le rôle a été changé.',
  remove: 'Retirer',
  removeTitle: 'Retirer ce membre ?',
  removeText: (name: string) =>
    `${name} perd son accès immédiatement. Ses clés API cessent également de fonctionner.`,
  removed: 'Le membre a été retiré.',
  permissions: 'Permissions',
  permission: 'Permission',
  byRole: 'Par le rôle',
  adjustment: 'Ajustement',
  effective: 'Effective',
  yes: 'oui',
  no: 'non',
  granted: 'Accordée',
  revoked: 'Retirée',
  self: 'Vous ne pouvez pas modifier votre propre rôle ni vos propres permissions.',
  above: 'Ce membre a un rôle plus élevé ou plus de permissions que vous.',
  lack: 'Vous n’avez pas cette permission et ne pouvez donc pas l’accorder.',
  savePermissions: 'Enregistrer les permissions',
  unsaved: (count: number) =>
    plural(count, {
      one: '# modification non enregistrée',
      many: '# de modifications non enregistrées',
      other: '# modifications non enregistrées',
    }),
  discard: 'Abandonner',
  saved: 'Les permissions ont été enregistrées.',
}

export const invitations: Translated<typeof englishInvitations> = {
  title: 'Invitations',
  email: 'E-mail',
  role: 'Rôle',
  status: 'Statut',
  statuses: { pending: 'Ouverte', accepted: 'Acceptée', revoked: 'Révoquée', expired: 'Expirée' },
  invitedBy: 'Invité par',
  expires: 'Expire',
  created: 'Envoyée',
  actions: 'Actions',
  empty: 'Aucune invitation pour le moment',
  emptyText:
    'La personne invitée reçoit un e-mail avec un lien utilisable une seule fois, pendant sept jours.',
  invite: 'Inviter',
  inviteTitle: 'Inviter une personne',
  inviteText: 'Elle reçoit un e-mail avec un lien utilisable une seule fois, qui expire après sept jours.',
  send: 'Envoyer l’invitation',
  sent: 'L’invitation a été envoyée.',
  revoke: 'Révoquer',
  revokeOf: (email: string) => `Révoquer l’invitation de ${email}`,
  revokeTitle: 'Révoquer cette invitation ?',
  revokeText: 'Son lien cesse de fonctionner immédiatement.',
  revoked: 'L’invitation a été révoquée.',
}

export const auditLog: Translated<typeof englishAuditLog> = {
  title: 'Journal d’audit',
  at: 'Heure',
  who: 'Qui',
  credential: {
    api_key: 'par clé API',
    jwt: 'par jeton d’accès',
    session: 'dans le tableau de bord',
    payment_link: 'sur une page de paiement',
  },
  action: 'Action',
  resourceType: 'Type',
  resource: 'Ressource',
  changes: 'Modifications',
  changed: (count: number) => plural(count, { one: '# champ', many: '# de champs', other: '# champs' }),
  noChange: 'aucune enregistrée',
  field: 'Champ',
  before: 'Avant',
  after: 'Après',
  nothing: '–',
  from: 'Du',
  to: 'Au',
  ip: 'Adresse',
  empty: 'Aucune entrée pour le moment',
  emptyText:
    'Chaque modification dans votre organisation est enregistrée ici : qui l’a faite, ce qui a changé, quand et d’où.',
}
