/**
 * A default style for the parts of this entry point, for a `<style>` of the page. Each part has a
 * class of its own, so a page can have another one.
 */
export const skillChatStyle: string = `
.skill-message{max-width:85%;padding:.6rem .9rem;margin:.4rem 0;border-radius:.9rem;background:#f1f2f4;color:#1c2024;font:16px/1.5 system-ui,'Open Sans',sans-serif}
.skill-user{margin-left:auto;background:#2454d6;color:#fff;width:fit-content}
.skill-message p{margin:.2rem 0;overflow-wrap:anywhere}
.skill-line{font-size:.85rem;padding:.15rem .6rem;margin:.2rem 0;border-left:3px solid #2e8b57;background:#eef7f1;color:#33503f;overflow-wrap:anywhere}
.skill-line[data-state=running]{border-color:#b0b6be;background:#fff;color:#5b6470}
.skill-line[data-state=failed],.skill-line[data-state=denied],.skill-line[data-state=refused]{border-color:#c0392b;background:#fbeeec;color:#8a2a1f}
.skill-line[data-state=unknown]{border-color:#b26a00;background:#fff6e5;color:#7a4800}
.skill-card{border:1px solid #c8cdd4;border-radius:.7rem;padding:.75rem .9rem;background:#fffdf5;color:#1c2024}
.skill-card h2{font-size:1rem;margin:0}
.skill-card p,.skill-card ul{font-size:.85rem}
.skill-card pre,.skill-diff{font:.8rem/1.5 ui-monospace,monospace;white-space:pre-wrap;max-height:12rem;overflow-y:auto;background:#fff;padding:.5rem}
.skill-diff>*{display:block;text-decoration:none}
.skill-diff ins{background:#e5f5ea}
.skill-diff del{background:#fbeeec}
.skill-yes,.skill-no{font:inherit;font-size:.85rem;padding:.3rem .7rem;margin:0 .3rem .3rem 0;border-radius:.5rem;border:1px solid #2454d6;background:#2454d6;color:#fff}
.skill-no{background:#fff;color:#2454d6}
`;
