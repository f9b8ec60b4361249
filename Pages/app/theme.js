(()=>{let e;try{e=localStorage.getItem("martlet.theme")}catch{}let t=matchMedia("(prefers-color-scheme: dark)").matches;document.documentElement.dataset.theme=e??(t?"dark":"light")})();
