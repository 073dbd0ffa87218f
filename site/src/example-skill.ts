/** What stands in the playground before somebody pastes a skill. It has mistakes that are often made. */
export const exampleSkill = `---
name: Refunds
description: Handles refunds and chargebacks in the shop. Use when a customer wants money back, disputes a charge, or asks when a refund arrives.
metadata:
  version: 1.10
---
# Refunds

1. Ask for the order number.
2. Look the order up. Orders older than 60 days need a manager: say so, and stop.
3. Pay back the amount that the customer paid, never more.

Read references/policy.md for goods that cannot be returned.
`;
