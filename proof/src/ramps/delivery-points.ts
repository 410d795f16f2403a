/** The points at which a delivery can be interrupted, in order. */
export const deliveryPoints = [
  'before_the_nonce',
  'after_the_nonce',
  'after_the_signature',
  'before_the_broadcast',
  'after_the_broadcast',
  'before_the_leg_is_written',
  'after_the_leg_is_written',
  'before_the_confirmation_is_written',
  'after_the_confirmation_is_written',
  'before_the_ramp_is_completed',
  'after_the_ramp_is_completed',
] as const
export type DeliveryPoint = (typeof deliveryPoints)[number]
