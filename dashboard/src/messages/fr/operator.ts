import type { Translated } from '../translated.ts'
import type {
  installation as englishInstallation,
  organization as englishOrganization,
  organizations as englishOrganizations,
} from '../en/operator.ts'
import { pluralsOf } from '../plural.ts'

const plural = pluralsOf('fr')

export const organizations: Translated<typeof englishOrganizations> = {
  title: 'Organisations',
  name: 'Nom',
  country: 'Pays',
  verification: 'Vérification',
  features: 'Fonctionnalités',
  none: 'aucune',
  created: 'Créée',
  empty: 'Aucune organisation pour le moment',
  emptyText: 'Créez la première organisation avec son administrateur.',
  create: 'Créer une organisation',
  createTitle: 'Créer une organisation',
  createText:
    'Son premier administrateur se connecte par le fournisseur d’identité et invite les autres membres.',
  admin: 'Administrateur',
  userId: 'Sujet chez le fournisseur d’identité',
  email: 'E-mail',
  firstName: 'Prénom',
  lastName: 'Nom de famille',
  made: 'L’organisation a été créée.',
}

export const organization: Translated<typeof englishOrganization> = {
  title: 'Organisation',
  details: 'Détails',
  features: 'Fonctionnalités',
  featuresText: 'Ce que seul l’exploitant peut activer.',
  terms: 'Conditions',
  edit: 'Modifier les conditions',
  editTitle: 'Modifier les fonctionnalités et les conditions',
  save: 'Enregistrer',
  saved: 'L’organisation a été enregistrée.',
  margin: 'Marge sur les taux de change',
  marginUnit: (bps: number) =>
    plural(bps, { one: '# point de base', many: '# de points de base', other: '# points de base' }),
  marginField: 'Marge sur les taux de change, en points de base',
  requiresKyb: 'Les versements exigent une vérification',
  ownOnly: 'Utilise uniquement ses propres comptes prestataires',
  yes: 'oui',
  no: 'non',
  on: 'Activé',
  off: 'Désactivé',
  id: 'Identifiant de l’organisation',
}

export const installation: Translated<typeof englishInstallation> = {
  title: 'Installation',
  checked: 'Vérifié',
  software: 'Logiciels',
  version: 'Switchyard',
  node: 'Node.js',
  postgres: 'PostgreSQL',
  migrations: 'Migrations',
  migrated: (applied: number, expected: number) => `${applied} sur ${expected}`,
  current: 'À jour',
  behind: 'Pas à jour',
  work: 'Travail en cours',
  engine: 'Moteur de workflows',
  reachable: 'Joignable',
  unreachable: 'Injoignable',
  paused: 'Tâches qui attendent une personne',
  workers: 'Workers',
  outbox: 'Tâches à remettre au moteur',
  oldest: 'La plus ancienne d’entre elles',
  seconds: (seconds: string) => `${seconds} s`,
  unknown: 'inconnu',
  unreadable: 'Paiements introuvables par personne',
  exceptions: 'Exceptions ouvertes',
  noExceptions: 'aucune',
  backups: 'Dernière sauvegarde',
  backupsOutside: 'non indiquée ici',
  deployments: 'Déploiements du moteur',
  services: 'Services',
  address: 'Adresse',
  created: 'Créé',
  noDeployments: 'Le moteur n’indique pas ses déploiements.',
  providers: 'Prestataires, dernière heure',
  noAttempts: 'Aucune tentative au cours de la dernière heure.',
}
