import { AppError, conflict, forbidden, unauthorized, validationError } from '../../../lib/errors.ts'

export const alreadyMember = (): AppError =>
  conflict('The organisation already has a member with this user_id or email.')

export const lastAdministrator = (): AppError =>
  conflict('The organisation would be left without an administrator. Make another member org-admin first.')

export const cannotGiveWhatYouLack = (permission: string): AppError =>
  forbidden(`You cannot give or take ${permission}: you do not hold it yourself.`)

export const cannotChangeYourself = (): AppError =>
  forbidden('You cannot change your own role or permissions. Ask another administrator.')

export const featuresBelongToTheOperator = (): AppError =>
  forbidden('Features, the rate margin and the KYB policy are set by the operator of this installation.')

export const loosenCardsAlone = (): AppError =>
  validationError(
    'cards: allow card numbers again in a request of its own, because it may have to wait for a second person.',
    [{ path: 'cards', message: 'cannot be loosened together with other fields' }],
  )

export const loosenTermsAlone = (): AppError =>
  validationError(
    'Change payouts_require_kyb and rate_margin_bps in a request of their own, because they may have to wait for a second operator.',
    [{ path: 'payouts_require_kyb', message: 'cannot be changed together with other fields' }],
  )

export const memberAboveYou = (): AppError =>
  forbidden(
    'This member has a higher role than you or holds permissions that you do not hold. Ask somebody who does.',
  )

export const notYourOrganization = (): AppError =>
  unauthorized('The token names no organisation that you are a member of.')

export const payoutsClosed = (): AppError =>
  new AppError(
    'KYB_REQUIRED',
    403,
    'Payouts, ramps and disbursements open when the verification of your organisation is approved. Start it with POST /organizations/{org_id}/kyb/initiate.',
  )
